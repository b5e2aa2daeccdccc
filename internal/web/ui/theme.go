package ui

import "context"

// themeLabel says which theme is on, for the switch.
func themeLabel(ctx context.Context, theme string) string {
	switch theme {
	case "dark":
		return T(ctx, "switch.theme.dark")
	case "light":
		return T(ctx, "switch.theme.light")
	default:
		return T(ctx, "switch.theme.auto")
	}
}
