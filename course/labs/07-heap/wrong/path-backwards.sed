# loses path: from the object to the root
/" %.100s%.2000s"/{
N
s/" %.100s%.2000s", rows\[nodes\[at\]\.row\]\.name,.*text/"%.2000s %.100s", text, rows[nodes[at].row].name/
}
