//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// superuser owns the cluster; nobody else can reach its socket.
const superuser = "boulier"

// patience is how long a server may take to start: long, for machines that do much else.
const patience = time.Minute

// errMissing says what to install. It is a failure of the test, never a reason to skip it.
var errMissing = errors.New("pgtest: this test needs PostgreSQL, and neither the PATH nor " +
	"/usr/lib/postgresql has initdb and postgres: run make setup, or apt-get install postgresql")

// watchdog waits until the test binary is gone, which closes its standard input, then stops
// the server and removes its folder. It is a process of its own so that it also does so after
// a crash, a SIGKILL or Ctrl-C. It tries again a while, for a server that was just starting.
const watchdog = `
cat >/dev/null
for try in 1 2 3 4 5 6 7 8 9 10; do
	read -r pid <"$1/data/postmaster.pid" && kill -QUIT "$pid" &&
		while kill -0 "$pid"; do sleep 0.05; done
	rm -rf "$1" && sleep 0.2 && [ ! -e "$1" ] && exit
done`

// start makes a cluster and starts its server.
func start() (*cluster, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "boulier-pg-")
	if err != nil {
		return nil, err
	}
	if err := watch(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	attr, err := unprivileged(dir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	initdb := command(dir, attr, filepath.Join(bin, "initdb"), "--pgdata", data, "--auth=trust",
		"--username", superuser, "--encoding=UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pgtest: initdb: %w\n%s", err, out)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	server := command(dir, attr, filepath.Join(bin, "postgres"), "-D", data,
		"-c", "listen_addresses=", "-c", "unix_socket_directories="+dir,
		"-c", "max_connections=300", "-c", "fsync=on", "-c", "synchronous_commit=on")
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		return nil, err
	}
	c := &cluster{dir: dir, templates: map[uintptr]template{}}
	return c, c.ready(server)
}

// ready waits until the server answers.
func (c *cluster) ready(server *exec.Cmd) error {
	gone := make(chan error, 1)
	go func() { gone <- server.Wait() }()
	for deadline := time.Now().Add(patience); ; {
		err := c.exec("SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case err = <-gone:
		case <-time.After(20 * time.Millisecond):
			if time.Now().Before(deadline) {
				continue
			}
		}
		log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
		return fmt.Errorf("pgtest: the server does not answer: %w\n%s", err, log)
	}
}

// programs returns the folder of initdb and postgres: beside the initdb of the PATH, or the
// newest of those that Debian keeps off the PATH.
func programs() (string, error) {
	first := ""
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if initdb, err = filepath.EvalSymlinks(initdb); err == nil {
			first = filepath.Dir(initdb)
		}
	}
	debian, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	return newest(first, debian)
}

// newest returns first if it holds PostgreSQL's server programs, else the folder …/VERSION/bin
// of the highest version that does, or errMissing.
func newest(first string, others []string) (string, error) {
	version := func(dir string) int {
		n, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
		if err != nil {
			return 0 // not a release: the last resort
		}
		return n
	}
	slices.SortFunc(others, func(a, b string) int { return version(b) - version(a) })
	for _, dir := range append([]string{first}, others...) {
		if dir != "" && runs(filepath.Join(dir, "initdb")) && runs(filepath.Join(dir, "postgres")) {
			return dir, nil
		}
	}
	return "", errMissing
}

func runs(program string) bool {
	info, err := os.Stat(program)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// watch starts the watchdog of dir. The pipe's other end is never closed on purpose: it is
// closed by the kernel when this process ends.
func watch(dir string) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	held = append(held, w)
	dog := exec.Command("/bin/sh", "-c", watchdog, "watchdog", dir)
	dog.Stdin = r
	dog.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is not for it
	return dog.Start()
}

// held keeps the pipes of watchdogs from being closed by the garbage collector.
var held []*os.File

// unprivileged gives dir to the user that runs the server, and returns how to run as that
// user. PostgreSQL refuses to run as root; anybody else runs it as themselves.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setsid: true}
	if os.Geteuid() != 0 {
		return attr, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		if who, err = user.Lookup("nobody"); err != nil {
			return nil, fmt.Errorf("pgtest: no user postgres or nobody to run the server: %w", err)
		}
	}
	uid, err := strconv.ParseUint(who.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(who.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, int(uid), int(gid))
}

// command prepares a program of PostgreSQL, deaf to the settings of the developer's own.
func command(dir string, attr *syscall.SysProcAttr, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.SysProcAttr = dir, attr
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "PG") && !strings.HasPrefix(setting, "LC_") {
			cmd.Env = append(cmd.Env, setting)
		}
	}
	return cmd
}
