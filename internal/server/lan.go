package server

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"rsc.io/qr"
)

// LanAddress is where to listen so that the local network is answered: on every address of
// this machine, at the port of listen. An address that is not this machine's own loopback
// was chosen, and stays.
func LanAddress(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("server: %q is no address to listen on: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		host = ""
	}
	return net.JoinHostPort(host, port), nil
}

// LanURLs are the addresses at which other machines of the local network reach the server.
func (s *Server) LanURLs() ([]string, error) {
	at, ok := s.listener.Addr().(*net.TCPAddr)
	if !ok {
		return nil, fmt.Errorf("server: %s is no address of a network", s.listener.Addr())
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("server: the addresses of this machine: %w", err)
	}
	return lanURLs(at, addresses), nil
}

// SecureURLs are the addresses at which the local network reaches https; none without it.
func (s *Server) SecureURLs() ([]string, error) {
	if s.secure == nil {
		return nil, nil
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("server: the addresses of this machine: %w", err)
	}
	urls := lanURLs(s.secure.Addr().(*net.TCPAddr), addresses)
	for i := range urls {
		urls[i] = strings.Replace(urls[i], "http://", "https://", 1)
	}
	return urls, nil
}

// lanURLs keeps the addresses that a phone can type: IPv4, of this machine, not its loopback.
func lanURLs(at *net.TCPAddr, addresses []net.Addr) (urls []string) {
	for _, a := range addresses {
		n, ok := a.(*net.IPNet)
		if !ok || n.IP.To4() == nil || n.IP.IsLoopback() || n.IP.IsLinkLocalUnicast() {
			continue
		}
		if at.IP.IsUnspecified() || at.IP.Equal(n.IP) {
			urls = append(urls, "http://"+net.JoinHostPort(n.IP.String(), strconv.Itoa(at.Port)))
		}
	}
	return urls
}

// WriteQR draws a text as a QR code on a terminal: two rows of squares to a line of text,
// dark squares as spaces on light, so that a phone reads it from a dark screen.
func WriteQR(w io.Writer, text string) error {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return fmt.Errorf("server: no QR code for %q: %w", text, err)
	}
	const quiet = 2
	light := func(x, y int) bool { return !code.Black(x, y) }
	var b strings.Builder
	for y := -quiet; y < code.Size+quiet; y += 2 {
		for x := -quiet; x < code.Size+quiet; x++ {
			up, down := light(x, y), light(x, y+1)
			switch {
			case up && down:
				b.WriteRune('█')
			case up:
				b.WriteRune('▀')
			case down:
				b.WriteRune('▄')
			default:
				b.WriteRune(' ')
			}
		}
		b.WriteByte('\n')
	}
	_, err = io.WriteString(w, b.String())
	return err
}
