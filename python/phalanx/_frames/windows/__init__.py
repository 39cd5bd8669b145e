"""`rolling`, `expanding` and `ewm`: numbers of the rows around each row."""
