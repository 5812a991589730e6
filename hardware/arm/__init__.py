"""On the processors of Pis, emulated: see `test_arm`."""
