"""What is built and drawn, and what tests it: boards, models, emulated boards and kernels."""
