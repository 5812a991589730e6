"""The translators' files: what there is to translate is found in the program and kept in them.

./run words            bring every locale/*.po up to date; translations stay
./run words --check    fail where one is not, lacks a sentence or spoils a placeholder
"""
