package server

import (
	"net"
	"slices"
	"strings"
	"testing"

	"rsc.io/qr"
)

func TestLanAddress(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]string{"127.0.0.1:8080": ":8080", "localhost:80": ":80", "[::1]:9": ":9",
		"192.168.1.4:8080": "192.168.1.4:8080", ":8080": ":8080"} {
		if got, err := LanAddress(listen); err != nil || got != want {
			t.Errorf("LanAddress(%q) = %q, %v; want %q", listen, got, err, want)
		}
	}
	if _, err := LanAddress("8080"); err == nil {
		t.Error("a port alone is no address")
	}
}

func TestLanURLs(t *testing.T) {
	t.Parallel()
	of := func(text string) net.Addr {
		ip, n, err := net.ParseCIDR(text)
		if err != nil {
			t.Fatal(err)
		}
		return &net.IPNet{IP: ip, Mask: n.Mask}
	}
	all := []net.Addr{of("127.0.0.1/8"), of("192.168.1.4/24"), of("10.0.0.7/8"), of("169.254.3.3/16"), of("fe80::1/64")}
	got := lanURLs(&net.TCPAddr{IP: net.IPv6unspecified, Port: 8080}, all)
	if want := []string{"http://192.168.1.4:8080", "http://10.0.0.7:8080"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got = lanURLs(&net.TCPAddr{IP: net.ParseIP("10.0.0.7"), Port: 1}, all)
	if want := []string{"http://10.0.0.7:1"}; !slices.Equal(got, want) {
		t.Errorf("one address: %v, want %v", got, want)
	}
}

// TestWriteQR reads the squares back from the text.
func TestWriteQR(t *testing.T) {
	t.Parallel()
	const text = "http://192.168.1.4:8080"
	var out strings.Builder
	if err := WriteQR(&out, text); err != nil {
		t.Fatal(err)
	}
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for y := range code.Size {
		for x := range code.Size {
			r := []rune(lines[(y+2)/2])[x+2]
			light := r == '█' || r == '▀' && y%2 == 0 || r == '▄' && y%2 == 1
			if light == code.Black(x, y) {
				t.Fatalf("square %d,%d is wrong in\n%s", x, y, out.String())
			}
		}
	}
}
