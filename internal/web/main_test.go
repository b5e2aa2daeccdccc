package web

import (
	"os"
	"testing"

	"boulier/internal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Run(m)) }
