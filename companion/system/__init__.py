"""What every room stands on: configuration, files, paths, logs, signals, errors and texts."""
