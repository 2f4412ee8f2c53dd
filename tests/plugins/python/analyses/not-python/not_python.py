this is no Python (
