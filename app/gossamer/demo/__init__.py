"""The bundled demo site and the loopback server that answers for it."""
