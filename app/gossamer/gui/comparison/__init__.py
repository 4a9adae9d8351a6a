"""What differs between two crawls: the choice of both, and the window of the comparison."""
