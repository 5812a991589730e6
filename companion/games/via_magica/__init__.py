"""Via Magica: its rules, words, page, lights, terminal and players."""
