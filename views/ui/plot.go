package ui

import "strconv"

// Plot is one small picture of a few numbers, with the numbers themselves in a table behind it.
type Plot struct {
	ID      string // unique on the page
	Title   string
	Summary string // the plot in one sentence, for those who cannot or would not look
	Unit    string // for example "calls"
	Points  []Point
}

// Point is one labelled number; negative values are drawn as zero.
type Point struct {
	Label string
	Value int
	Tone  Tone
}

// Geometry of a column plot, in SVG user units.
const (
	plotWidth    = 320
	plotHeight   = 120
	plotTop      = 18 // room for the number above the highest column
	plotBottom   = 18 // room for the labels
	columnGap    = 6
	barThickness = 8
)

// largest is at least one, so that a plot of zeros divides by something.
func (p Plot) largest() int {
	largest := 1
	for _, point := range p.Points {
		largest = max(largest, point.Value)
	}
	return largest
}

func (p Plot) empty() bool {
	for _, point := range p.Points {
		if point.Value > 0 {
			return false
		}
	}
	return true
}

// column is the geometry of one column.
type column struct {
	Point
	X, Y, Width, Height, Middle int
}

func (p Plot) columns() []column {
	if len(p.Points) == 0 {
		return nil
	}
	slot := plotWidth / len(p.Points)
	space := plotHeight - plotTop - plotBottom
	columns := make([]column, 0, len(p.Points))
	for i, point := range p.Points {
		height := scale(point.Value, p.largest(), space)
		columns = append(columns, column{
			Point: point, X: i*slot + columnGap/2, Y: plotTop + space - height,
			Width: max(slot-columnGap, 1), Height: height, Middle: i*slot + slot/2,
		})
	}
	return columns
}

// scale is the length that stands for value; what is not nothing is visible.
func scale(value, largest, length int) int {
	if value <= 0 {
		return 0
	}
	return max(int(int64(value)*int64(length)/int64(largest)), 2)
}

func number(n int) string { return strconv.Itoa(n) }
