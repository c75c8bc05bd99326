//go:build unix

package clonefs

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file that replaces another one the other's owner, when we may: root at work in a user's clone must not
// take the user's settings away. Failing to is no fault; the mode was kept.
func keepOwner(file *os.File, old fs.FileInfo) {
	st, ok := old.Sys().(*syscall.Stat_t)
	if ok && (int(st.Uid) != os.Geteuid() || int(st.Gid) != os.Getegid()) {
		_ = file.Chown(int(st.Uid), int(st.Gid))
	}
}

// syncDir makes renames in the directory survive a power cut.
func (f *FS) syncDir(dir string) error {
	if err := f.before(Sync, dir); err != nil {
		return err
	}
	root, dir := f.at(dir)
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
