"""The one grammar of tables in text, for every reader of them.

notation   cells that are numbers in another notation than 1234.5
numerals   numbers with another decimal mark or with thousands separators, where they are asked for
points     points that may separate thousands, where cells are separated by semicolons
delimiter  which character separates the cells
header     whether the first record names the columns
columns    names of labels, first columns that number the rows, and levels that name rows

A cell by itself (a number, a missing value, a word) is the matter of io/fields.py.
"""
