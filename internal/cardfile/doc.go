// Package cardfile reads 90-ball cards as people keep them and writes them as this
// program does. Read takes a whole file and finds its format by itself:
//
//   - what cards make writes, as CSV (series,sheet,number,L1C1,…,L3C9) or JSON;
//   - other tables with a header: code,1,…,27 or Ref,Status,Player,L1C1,…,L3C9;
//   - JSON arrays: of numbers, 27 a card, or of rows, three a card;
//   - printed rows of nine places, three a card; or all 27 places of a card in a line;
//   - fifteen numbers a line, which give no rows.
//
// Text may be UTF-8 or UTF-16, with or without a mark at its head, its lines ended by LF,
// CRLF or CR, its fields parted by comma, semicolon, tab or spaces. A blank is an empty
// field, 0, -1, null, or one or more of « - », « . » and « _ ».
//
// A file that cannot be read gives one Error with its line; a card that can be read but
// breaks a rule is for Check to judge.
package cardfile
