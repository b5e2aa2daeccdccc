package cardfile

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"

	"boulier/game/ninety"
)

// WriteCSV writes sheets of a series as a table: series, sheet, number of the card, and
// its 27 places by row, empty where they are blank. The first sheet is number 1.
func WriteCSV(w io.Writer, series ninety.Series, sheets iter.Seq[*ninety.Sheet]) error {
	b := bufio.NewWriter(w)
	b.WriteString("series,sheet,number")
	for i := range shapeCard {
		fmt.Fprintf(b, ",L%dC%d", i/9+1, i%9+1)
	}
	b.WriteByte('\n')
	var line []byte
	sheet, number := 0, 0
	for s := range sheets {
		sheet++
		for _, c := range s {
			number++
			line = append(append(line[:0], series...), ',')
			line = strconv.AppendInt(line, int64(sheet), 10)
			line = strconv.AppendInt(append(line, ','), int64(number), 10)
			for _, row := range c.Grid() {
				for _, ball := range row {
					if line = append(line, ','); ball != 0 {
						line = strconv.AppendInt(line, int64(ball), 10)
					}
				}
			}
			b.Write(append(line, '\n'))
		}
	}
	return b.Flush()
}

// WriteJSON writes sheets of a series as one JSON document, a card a line, with 0 where a
// place is blank. The first sheet is number 1.
func WriteJSON(w io.Writer, series ninety.Series, sheets iter.Seq[*ninety.Sheet]) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `{"series":%q,"sheets":[`, series)
	sheet, number := 0, 0
	for s := range sheets {
		if sheet++; sheet > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "\n"+`{"number":%d,"cards":[`, sheet)
		for i, c := range s {
			if number++; i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, "\n"+`{"number":%d,"rows":`, number)
			for r, row := range c.Grid() {
				b.WriteByte("[,,"[r])
				for col, ball := range row {
					b.WriteByte("[,,,,,,,,"[col])
					b.WriteString(strconv.Itoa(int(ball)))
				}
				b.WriteByte(']')
			}
			b.WriteString("]}")
		}
		b.WriteString("]}")
	}
	b.WriteString("]}\n")
	return b.Flush()
}
