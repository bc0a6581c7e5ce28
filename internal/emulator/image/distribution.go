package image

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Distribution names the set of files that an image is built on. The empty one has no files and no
// shell, like images that are built from scratch.
type Distribution string

// The distributions.
const (
	Scratch    Distribution = ""
	Distroless Distribution = "distroless"
	BusyBox    Distribution = "busybox"
	Alpine     Distribution = "alpine"
	Debian     Distribution = "debian"    // slim
	DebianFull Distribution = "buildpack" // Debian with the tools in the images of languages: curl, git, ps …
	Ubuntu     Distribution = "ubuntu"
	RedHat     Distribution = "redhat" // CentOS, Fedora, Rocky Linux, Oracle Linux

	// generic is the distribution of images that are not known: the tools of BusyBox, and bash.
	generic Distribution = "generic"
)

// distribution holds the files of a Distribution.
type distribution struct {
	release  string              // the content of /etc/os-release
	usrMerge bool                // /bin, /sbin and /lib are links into /usr
	commands map[string][]string // executables by directory
	passwd   string              // users besides "root" and "nobody"
	group    string
	dirs     []string
}

func words(s string) []string { return strings.Fields(s) }

// commonDirs are the directories of every Linux image.
var commonDirs = words("/dev /etc /home /proc /root /sys /tmp /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /var/run /var/tmp /var/log /var/lib")

// DefaultPath is the PATH of images that set none, NAME=value.
const DefaultPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// coreutils are GNU's, in the families of Debian and Red Hat.
const coreutils = `[ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir
	dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln logname ls md5sum mkdir
	mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir
	runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test
	timeout touch tr true truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami yes`

const utilLinux = `dmesg fallocate findmnt flock getopt ionice ipcmk ipcrm ipcs last logger lscpu lsblk mesg more mount mountpoint namei nsenter
	prlimit rename renice rev script setarch setpriv setsid su taskset umount unshare wall whereis`

const busyboxApplets = `[ [[ acpid add-shell addgroup adduser adjtimex ar arch arp arping ash awk base32 base64 basename bc blkid brctl bunzip2
	bzcat bzip2 cal cat chattr chgrp chmod chown chpasswd chroot chrt cksum clear cmp comm cp cpio crond crontab cryptpw cut date dc dd
	deallocvt delgroup deluser devmem df diff dirname dmesg dnsd dnsdomainname dos2unix dpkg du echo ed egrep eject env envdir expand
	expr factor fallocate false fdisk fgrep find flock fold free fsync ftpd ftpget ftpput fuser getopt getty grep groups gunzip gzip halt
	hd head hexdump hostid hostname httpd hush hwclock id ifconfig inetd init insmod install ionice iostat ip ipaddr ipcalc ipcrm ipcs
	kill killall killall5 klogd less link ln logger login logname logread losetup ls lsattr lsmod lsof lspci lsusb lzcat lzma lzop
	makemime md5sum mesg mkdir mkdosfs mkfifo mknod mkpasswd mkswap mktemp modinfo modprobe more mount mountpoint mpstat mt mv nameif nc
	netstat nice nl nohup nologin nproc nsenter nslookup ntpd od openvt passwd paste patch pgrep pidof ping ping6 pkill pmap poweroff
	printenv printf ps pstree pwd pwdx readahead readlink realpath reboot renice reset resize rev rm rmdir rmmod route run-parts
	runsv runsvdir script sed sendmail seq setarch setpriv setsid sh sha1sum sha256sum sha3sum sha512sum shred shuf sleep sort split
	ssl_client start-stop-daemon stat strings stty su sulogin sum sv svlogd swapoff swapon sync sysctl syslogd tac tail tar taskset tc
	tee telnet telnetd test tftp time timeout top touch tr traceroute traceroute6 true truncate ts tsort tty ttysize udhcpc umount
	uname unexpand uniq unix2dos unlink unlzma unshare unxz unzip uptime users usleep uudecode uuencode vconfig vi vlock volname watch
	watchdog wc wget which who whoami whois xargs xxd xz xzcat yes zcat zcip busybox`

var debianCommands = map[string][]string{
	"/usr/bin": words(coreutils + " " + utilLinux + ` awk bash captoinfo chage chattr chfn chsh clear cmp dash debconf deb-systemd-helper
		diff diff3 dpkg egrep expiry faillog fgrep find getconf getent gpasswd grep gunzip gzip hostname iconv infocmp ldd locale
		localedef login lsattr lsns mawk nawk newgrp passwd perl pidof rbash reset sdiff sed sh tabs tar tempfile tic toe tput tset which
		xargs zcat zgrep apt apt-get apt-cache apt-key apt-mark`),
	"/usr/sbin": words(`adduser addgroup blkid chroot chpasswd delgroup deluser groupadd groupdel groupmod ldconfig losetup nologin
		pivot_root service useradd userdel usermod`),
}

// plus adds commands to those of another distribution.
func plus(base map[string][]string, dir, more string) map[string][]string {
	all := map[string][]string{}
	for d, names := range base {
		all[d] = names
	}
	all[dir] = append(append([]string(nil), all[dir]...), words(more)...)
	return all
}

const debianPasswd = `daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
bin:x:2:2:bin:/bin:/usr/sbin/nologin
sys:x:3:3:sys:/dev:/usr/sbin/nologin
sync:x:4:65534:sync:/bin:/bin/sync
games:x:5:60:games:/usr/games:/usr/sbin/nologin
mail:x:8:8:mail:/var/mail:/usr/sbin/nologin
www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`

const debianGroup = `daemon:x:1:
bin:x:2:
sys:x:3:
adm:x:4:
tty:x:5:
disk:x:6:
mail:x:8:
games:x:60:
www-data:x:33:
users:x:100:
nogroup:x:65534:
`

var distributions = map[Distribution]distribution{
	Scratch: {},
	Distroless: {
		release: "PRETTY_NAME=\"Distroless\"\nNAME=\"Debian GNU/Linux\"\nID=\"debian\"\nVERSION_ID=\"12\"\n",
		passwd:  "nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
		group:   "nobody:x:65534:\nnonroot:x:65532:\n",
		dirs:    words("/etc /home/nonroot /tmp /usr/bin /var/tmp"),
	},
	generic: {
		commands: map[string][]string{"/bin": append(words(busyboxApplets), "bash")},
		passwd:   "nobody:x:65534:65534:nobody:/home:/bin/false\n",
		group:    "nogroup:x:65534:\n",
		dirs:     append(words("/lib"), commonDirs...),
	},
	BusyBox: {
		commands: map[string][]string{"/bin": words(busyboxApplets)},
		passwd: "daemon:x:1:1:daemon:/usr/sbin:/bin/false\nbin:x:2:2:bin:/bin:/bin/false\nwww-data:x:33:33:www-data:/var/www:/bin/false\n" +
			"nobody:x:65534:65534:nobody:/home:/bin/false\n",
		group: "daemon:x:1:\nbin:x:2:\nsys:x:3:\ntty:x:5:\nwww-data:x:33:\nusers:x:100:\nnogroup:x:65534:\n",
		dirs:  append(words("/lib /lib64 /var/spool/mail /var/www"), commonDirs...),
	},
	Alpine: {
		release: "NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.20.3\nPRETTY_NAME=\"Alpine Linux v3.20\"\nHOME_URL=\"https://alpinelinux.org/\"\n",
		commands: map[string][]string{
			"/bin": words(`arch ash base64 busybox cat chattr chgrp chmod chown cp date dd df dmesg dnsdomainname echo egrep false fgrep fsync
				getopt grep gunzip gzip hostname ionice iostat ipcalc kill link ln login ls lsattr lzop makemime mkdir mknod mktemp
				more mount mountpoint mpstat mv netstat nice pidof ping ping6 printenv ps pwd rev rm rmdir run-parts sed setpriv sh
				sleep stat stty su sync tar touch true umount uname usleep watch zcat`),
			"/sbin": words(`apk arp blkid fdisk getty halt ifconfig init ip ipaddr ldconfig losetup lsmod mkswap modprobe nologin poweroff reboot route
				swapoff swapon sysctl syslogd udhcpc`),
			"/usr/bin": words(`[ [[ awk basename bc bunzip2 bzcat bzip2 cal cksum clear cmp comm cpio crontab cryptpw cut dc diff dirname dos2unix du
				env expand expr factor fallocate find flock fold free fuser getconf getent groups hd head hexdump hostid iconv id
				install ipcrm ipcs killall ldd less logger lsof lsusb lzcat lzma md5sum mesg mkfifo mkpasswd nc nl nohup nproc nsenter
				nslookup od passwd paste pgrep pkill pmap printf pstree pwdx readlink realpath renice reset resize scanelf seq
				setsid sha1sum sha256sum sha3sum sha512sum shred shuf sort split ssl_client strings sum tac tail tee test time timeout
				top tr traceroute traceroute6 tree truncate tty ttysize unexpand uniq unix2dos unlink unlzma unshare unxz unzip uptime
				uudecode uuencode vi vlock volname wc wget which who whoami whois xargs xxd xzcat yes`),
			"/usr/sbin": words("addgroup adduser arping brctl chpasswd chroot crond delgroup deluser killall5 ntpd sendmail update-ca-certificates"),
		},
		passwd: "bin:x:1:1:bin:/bin:/sbin/nologin\ndaemon:x:2:2:daemon:/sbin:/sbin/nologin\nguest:x:405:100:guest:/dev/null:/sbin/nologin\n" +
			"nobody:x:65534:65534:nobody:/:/sbin/nologin\n",
		group: "bin:x:1:root,bin,daemon\ndaemon:x:2:root,bin,daemon\nsys:x:3:root,bin\nadm:x:4:root,daemon\ntty:x:5:\n" +
			"users:x:100:games\nnogroup:x:65533:\nnobody:x:65534:\n",
		dirs: append(words("/lib /media /mnt /opt /run /srv"), commonDirs...),
	},
	Debian: {
		release: "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n" +
			"VERSION=\"12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\n",
		usrMerge: true,
		commands: debianCommands,
		passwd:   debianPasswd, group: debianGroup,
		dirs: append(words("/boot /media /mnt /opt /run /srv /usr/lib /var/www"), commonDirs...),
	},
	DebianFull: {
		release: "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n" +
			"VERSION=\"12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\n",
		usrMerge: true,
		commands: plus(debianCommands, "/usr/bin", `bzip2 curl file free g++ gcc git gpg hg kill make openssl patch pgrep pkill pmap ps python3 pwdx ssh svn
			top unzip uptime vmstat w watch wget xz`),
		passwd: debianPasswd, group: debianGroup,
		dirs: append(words("/boot /media /mnt /opt /run /srv /usr/lib /usr/src /var/www"), commonDirs...),
	},
	Ubuntu: {
		release: "PRETTY_NAME=\"Ubuntu 24.04 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\n" +
			"VERSION=\"24.04 LTS (Noble Numbat)\"\nVERSION_CODENAME=noble\nID=ubuntu\nID_LIKE=debian\n",
		usrMerge: true,
		commands: plus(debianCommands, "/usr/bin", "bzip2 free kill pgrep pkill pmap ps pwdx top uptime vmstat w watch"),
		passwd:   debianPasswd + "ubuntu:x:1000:1000:Ubuntu:/home/ubuntu:/bin/bash\n", group: debianGroup + "ubuntu:x:1000:\n",
		dirs: append(words("/boot /home/ubuntu /media /mnt /opt /run /srv /usr/lib /var/www"), commonDirs...),
	},
	RedHat: {
		release: "NAME=\"Rocky Linux\"\nVERSION=\"9.4 (Blue Onyx)\"\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n" +
			"VERSION_ID=\"9.4\"\nPRETTY_NAME=\"Rocky Linux 9.4 (Blue Onyx)\"\n",
		usrMerge: true,
		commands: map[string][]string{
			"/usr/bin": words(coreutils + " " + utilLinux + ` awk bash curl dnf egrep fgrep find gawk getconf getent gpg grep gunzip gzip hostname iconv
				ldd less locale rpm sed sh tar vi xargs yum zcat`),
			"/usr/sbin": words("chroot groupadd groupdel ldconfig nologin useradd userdel usermod"),
		},
		passwd: "bin:x:1:1:bin:/bin:/sbin/nologin\ndaemon:x:2:2:daemon:/sbin:/sbin/nologin\nnobody:x:65534:65534:Kernel Overflow User:/:/sbin/nologin\n",
		group:  "bin:x:1:\ndaemon:x:2:\nsys:x:3:\nadm:x:4:\ntty:x:5:\nusers:x:100:\nnobody:x:65534:\n",
		dirs:   append(words("/boot /media /mnt /opt /run /srv /usr/lib"), commonDirs...),
	},
}

// Distributions returns those that users can build images on, sorted.
func Distributions() []Distribution {
	return []Distribution{Alpine, DebianFull, BusyBox, Debian, Distroless, RedHat, Ubuntu}
}

// entries returns the files of a distribution.
func (d *distribution) entries() []vfs.Entry {
	var all []vfs.Entry
	dir := func(path string, mode uint32) { all = append(all, vfs.Entry{Path: path, Mode: vfs.ModeDir | mode}) }
	file := func(path, content string) { all = append(all, vfs.Entry{Path: path, Data: []byte(content)}) }
	for _, path := range d.dirs {
		switch path {
		case "/tmp", "/var/tmp":
			dir(path, 0o1777)
		case "/root":
			dir(path, 0o700)
		default:
			dir(path, 0o755)
		}
	}
	if d.passwd != "" {
		shell := "/bin/sh"
		if d.usrMerge {
			shell = "/bin/bash"
		}
		file("/etc/passwd", "root:x:0:0:root:/root:"+shell+"\n"+d.passwd)
		file("/etc/group", "root:x:0:\n"+d.group)
	}
	if d.release != "" {
		file("/etc/os-release", d.release)
	}
	if d.usrMerge {
		for _, name := range words("bin sbin lib") {
			dir("/usr/"+name, 0o755)
			all = append(all, vfs.Entry{Path: "/" + name, Mode: vfs.ModeLink | 0o777, Target: "usr/" + name})
		}
	}
	for path, names := range d.commands {
		for _, name := range names {
			all = append(all, executable(path+"/"+name, name))
		}
	}
	return all
}
