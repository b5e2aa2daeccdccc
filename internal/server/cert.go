package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// certificateLife is how long a self-made certificate is good.
const certificateLife = 2 * 365 * 24 * time.Hour

// Certificate returns the self-made certificate of a data folder for https on a local network,
// and makes it if there is none, or if it ends within a month. Browsers warn of it once: its
// fingerprint is printed, to be compared. It proves no name; it lets phones use their camera.
func Certificate(folder string, hosts []net.IP, now time.Time) (tls.Certificate, error) {
	file := filepath.Join(folder, "lan.pem")
	if c, err := tls.LoadX509KeyPair(file, file); err == nil {
		if c.Leaf.NotAfter.Sub(now) > 30*24*time.Hour && covers(c.Leaf, hosts) {
			return c, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("server: the certificate %s cannot be read; remove it, and another is made: %w", file, err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: "Boulier"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(certificateLife), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
		DNSNames: []string{"localhost"}, IPAddresses: append([]net.IP{net.IPv4(127, 0, 0, 1)}, hosts...)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return tls.Certificate{}, err
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return tls.Certificate{}, fmt.Errorf("server: keeping the certificate: %w", err)
	}
	return tls.X509KeyPair(text, text)
}

// covers reports whether a certificate names every address.
func covers(c *x509.Certificate, hosts []net.IP) bool {
	for _, ip := range hosts {
		if c.VerifyHostname(ip.String()) != nil {
			return false
		}
	}
	return true
}

// CertificatePrint is the SHA-256 of a certificate as browsers show it.
func CertificatePrint(c tls.Certificate) string {
	sum := sha256.Sum256(c.Certificate[0])
	text := strings.ToUpper(hex.EncodeToString(sum[:]))
	var parts []string
	for i := 0; i < len(text); i += 2 {
		parts = append(parts, text[i:i+2])
	}
	return strings.Join(parts, ":")
}
