package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/internal/store"
	"boulier/internal/vault"
)

// serveCmd runs the platform for real.
type serveCmd struct {
	Data         string   `help:"Data folder; it is made if it does not exist." required:"" placeholder:"DIR" env:"BOULIER_DATA_DIR"`
	Keys         string   `help:"Key folder, apart from the data if you can (default: DATA/keys)." placeholder:"DIR" env:"BOULIER_KEYS"`
	Listen       string   `help:"Address to listen on." default:"127.0.0.1:8080" env:"BOULIER_LISTEN"`
	Lan          bool     `help:"Answer the local network over plain http, and print its addresses with QR codes." env:"BOULIER_LAN"`
	LanHTTPS     string   `help:"Answer the local network over https too, at this address, such as :8443, with a self-made certificate: phones have a live camera then." placeholder:"ADDRESS" env:"BOULIER_LAN_HTTPS"`
	Backups      string   `help:"Folder that the backup button writes to, such as a stick (default: DATA/backups)." placeholder:"DIR" env:"BOULIER_BACKUPS"`
	Database     string   `help:"postgres://… instead of the embedded database." placeholder:"URL" env:"BOULIER_DATABASE"`
	Origin       string   `help:"Name under which checkpoints are signed; fixed when the keys are made." default:"boulier.local" env:"BOULIER_ORIGIN"`
	Node         int      `help:"Number of this node, different on each node of a database." default:"0" env:"BOULIER_NODE"`
	URL          string   `help:"Address of the house as people type it, for links in e-mails (default: the address listened on)." placeholder:"https://…" env:"BOULIER_URL"`
	MailServer   string   `help:"Mail server as host:port; without one, e-mails are files in DATA/outbox." placeholder:"HOST:PORT" env:"BOULIER_MAIL_SERVER"`
	MailUser     string   `help:"User name at the mail server." placeholder:"NAME" env:"BOULIER_MAIL_USER"`
	MailPassword string   `help:"File that holds the password at the mail server." placeholder:"FILE" env:"BOULIER_MAIL_PASSWORD_FILE"`
	MailFrom     string   `help:"Address that e-mails come from." default:"boulier@localhost.localdomain" placeholder:"ADDRESS" env:"BOULIER_MAIL_FROM"`
	Proxies      []string `help:"Addresses or networks of trusted proxies." placeholder:"CIDR" env:"BOULIER_PROXIES"`
}

// Run serves until it is told to stop.
func (c serveCmd) Run(s streams) error {
	proxies, err := networks(c.Proxies)
	if err != nil {
		return err
	}
	if c.Node < 0 || c.Node >= store.MaxNode {
		return misused("--node is %d: nodes are numbered 0 to %d", c.Node, store.MaxNode-1)
	}
	if err := vault.CheckOrigin(c.Origin); err != nil {
		return misuse{err}
	}
	if c.Listen, err = lanListen(c.Lan, c.Listen); err != nil {
		return err
	}
	if c.LanHTTPS != "" {
		if err := checkAddress("lan-https", c.LanHTTPS); err != nil {
			return err
		}
	}
	mail, err := c.mail()
	if err != nil {
		return err
	}
	ctx, stop := signals()
	defer stop()
	log := slog.New(slog.NewTextHandler(s.err, nil))
	srv, err := server.Open(ctx, server.Config{Data: c.Data, Keys: c.Keys, Backups: c.Backups, Secure: c.LanHTTPS, Database: c.Database, Listen: c.Listen,
		Origin: c.Origin, Node: c.Node, Proxies: proxies, Version: programVersion(), Log: log, Mail: mail})
	if err != nil {
		return err
	}
	log.Info("ready", "url", srv.URL(), "key", srv.Vault.Fingerprint(), "version", programVersion())
	if err := printLan(c.Lan, srv, s.out); err != nil {
		return errors.Join(err, srv.Store.Close())
	}
	if err := printSecure(srv, s.out); err != nil {
		return errors.Join(err, srv.Store.Close())
	}
	if link := srv.SetupLink(); link != "" {
		log.Warn("nobody administers this house yet: open this one-time link", "link", link)
	}
	return srv.Serve(ctx)
}

// mail reads how e-mails leave.
func (c serveCmd) mail() (server.Mail, error) {
	m := server.Mail{URL: c.URL, Server: c.MailServer, User: c.MailUser, From: c.MailFrom}
	if err := app.CheckEmail(c.MailFrom); err != nil {
		return m, misused("--mail-from is %q: it must be one plain e-mail address", c.MailFrom)
	}
	if m.Server != "" {
		if _, _, err := net.SplitHostPort(m.Server); err != nil {
			return m, misused("--mail-server is %q: host and port are needed, such as mail.example.org:587", m.Server)
		}
	}
	if c.MailPassword != "" {
		text, err := os.ReadFile(c.MailPassword)
		if err != nil {
			return m, misused("--mail-password: %w", err)
		}
		m.Password = strings.TrimRight(string(text), "\r\n")
	}
	return m, nil
}

// lanListen is where to listen, for the local network or not. An empty address would be all of
// this machine's.
func lanListen(lan bool, listen string) (string, error) {
	if err := checkAddress("listen", listen); err != nil || !lan {
		return listen, err
	}
	return server.LanAddress(listen)
}

func checkAddress(flag, listen string) error {
	if _, err := net.ResolveTCPAddr("tcp", listen); err != nil || listen == "" {
		return misused("--%s is %q: give a host and a port, such as 127.0.0.1:8080", flag, listen)
	}
	return nil
}

// printLan prints where the phones and laptops of the local network find the program.
func printLan(lan bool, srv *server.Server, out io.Writer) error {
	if !lan {
		return nil
	}
	urls, err := srv.LanURLs()
	if err != nil {
		return err
	}
	if len(urls) == 0 {
		fmt.Fprintln(out, "This machine is on no local network yet: connect it, then start again.")
	}
	for _, url := range urls {
		fmt.Fprintf(out, "\nOn the local network: %s\n", url)
		if err := server.WriteQR(out, url); err != nil {
			return err
		}
	}
	return nil
}

// printSecure prints where https is answered, and the fingerprint that browsers show when they
// warn of the certificate.
func printSecure(srv *server.Server, out io.Writer) error {
	at, fingerprint := srv.Secure()
	if at == "" {
		return nil
	}
	urls, err := srv.SecureURLs()
	if err != nil {
		return err
	}
	for _, url := range append(urls, at)[:max(len(urls), 1)] {
		fmt.Fprintf(out, "\nWith a live camera: %s\n", url)
		if err := server.WriteQR(out, url); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "Browsers warn once of its self-made certificate; SHA-256 %s\n", fingerprint)
	return nil
}

// signals returns a context that ends when the program is told to stop.
func signals() (context.Context, context.CancelFunc) {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants the program to outlive its terminal
		list = append(list, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), list...)
}

// networks reads addresses and networks.
func networks(texts []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, err := netip.ParseAddr(text)
			if err != nil {
				return nil, misused("--proxies: %q is neither an address nor a network", text)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		out = append(out, p)
	}
	return out, nil
}

// demoCmd shows the platform with invented people.
type demoCmd struct {
	Listen string `help:"Address to listen on." default:"127.0.0.1:8080"`
	Lan    bool   `help:"Answer the local network over plain http, and print its addresses with QR codes."`
	Data   string `help:"Data folder to keep; by default a temporary one, removed at the end. Settings files do not speak of it." placeholder:"DIR" settings:"-"`
}

// Run serves the demonstration until it is told to stop.
func (c demoCmd) Run(s streams) (err error) {
	if c.Listen, err = lanListen(c.Lan, c.Listen); err != nil {
		return err
	}
	folder := c.Data
	if folder == "" {
		if folder, err = os.MkdirTemp("", "boulier-demo-"); err != nil {
			return err
		}
		defer func() {
			if gone := os.RemoveAll(folder); gone != nil {
				err = errors.Join(err, gone)
				return
			}
			fmt.Fprintf(s.out, "Removed %s.\n", folder)
		}()
	}
	ctx, stop := signals()
	defer stop()
	log := slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	srv, err := server.Open(ctx, server.Config{Data: folder, Listen: c.Listen, Demo: true,
		Version: programVersion(), Log: log})
	if err == nil {
		if err = srv.FillDemo(ctx); err != nil {
			err = errors.Join(err, srv.Store.Close())
		}
	}
	if ctx.Err() != nil {
		fmt.Fprintln(s.out, "Stopped before it was ready.")
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Boulier, demonstration: %s\nData in %s\n\n", srv.URL(), folder)
	fmt.Fprintf(s.out, "%-10s %-14s %s\n", "sign-in", "password", "who")
	for _, p := range server.DemoPeople {
		fmt.Fprintf(s.out, "%-10s %-14s %s (%s)\n", p.SignIn, server.DemoPassword, p.Name, p.Roles[0])
	}
	if err := printLan(c.Lan, srv, s.out); err != nil {
		return errors.Join(err, srv.Store.Close())
	}
	fmt.Fprintln(s.out, "\nCtrl-C stops it.")
	return srv.Serve(ctx)
}
