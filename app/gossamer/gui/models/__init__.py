"""Windows over the project file: Qt item models that ask a reader thread for what is shown."""
