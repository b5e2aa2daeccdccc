package ui

import "strconv"

// percent writes done of total as a whole per cent, rounded down.
func percent(done, total int64) string {
	if total <= 0 {
		return ""
	}
	return strconv.FormatInt(min(done, total)*100/total, 10) + "\u00a0%"
}
