"""The bundled demo site and the loopback server that serves it."""
