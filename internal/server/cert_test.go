package server_test

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boulier/internal/server"
)

// TestSecure_SelfMadeCertificate: https answers beside http with one certificate, which is
// kept, readable by its owner alone, and whose fingerprint is told.
func TestSecure_SelfMadeCertificate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := hallServer(t, server.Config{Data: folder, Secure: "127.0.0.1:0"})
	at, told := s.Secure()
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	answer, err := client.Get(at + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != 200 || !strings.Contains(string(body), "Boulier") {
		t.Errorf("https answers %d, %v", answer.StatusCode, err)
	}
	c := answer.TLS.PeerCertificates[0]
	sum := sha256.Sum256(c.Raw)
	if plain := strings.ReplaceAll(told, ":", ""); plain != strings.ToUpper(hex.EncodeToString(sum[:])) {
		t.Errorf("told is %s", told)
	}
	if err := c.VerifyHostname("127.0.0.1"); err != nil {
		t.Error(err)
	}
	again, err := server.Certificate(folder, nil, s.Ground.Now())
	if err != nil || server.CertificatePrint(again) != told {
		t.Errorf("a second start has another certificate: %v", err)
	}
	late, err := server.Certificate(folder, nil, c.NotAfter.AddDate(0, 0, -3))
	if err != nil || server.CertificatePrint(late) == told {
		t.Errorf("a certificate that ends is kept: %v", err)
	}
	info, err := os.Stat(filepath.Join(folder, "lan.pem"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if at, _ := hallServer(t, server.Config{Data: t.TempDir()}).Secure(); at != "" {
		t.Errorf("https unasked for at %s", at)
	}
}
