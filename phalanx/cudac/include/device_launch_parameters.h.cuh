// What it declares is there without an include.
