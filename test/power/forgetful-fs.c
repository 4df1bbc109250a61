/*
 * A file system in memory that forgets what was not synced, as a disk does whose power fails.
 *
 * Every file and folder has two states: what programs see, and what is on disk. `fsync` and `fdatasync` of a file put its
 * bytes on disk, `fsync` of a folder its names. Like ext4, XFS and Btrfs, the `fsync` of a file that is new also puts its name
 * on disk, with the folders above; a rename or a removal needs the `fsync` of the folder. Owners, modes and times are always
 * on disk.
 *
 * Commands are written to the file `.power` at the root, which then tells in JSON what the last loss forgot:
 *   off all         everything goes back to what is on disk, and every other call fails with EIO until `on`
 *   off some SEED   each page of 4,096 bytes that was not synced goes back or stays, and so does each size; names all do or none
 *   on              calls work again
 *   ignore syncs    the control: from now on `fsync` does nothing
 *
 *   forgetful-fs MOUNTPOINT -f -s -o allow_other,default_permissions
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { page_bytes = 4096 };

struct inode;

struct name {
	char *text;
	struct inode *inode;
};

struct names {
	struct name *all;
	size_t count;
};

/* Bytes in pages; NULL is a page of zeros. A page that both states of a file have is one. */
struct bytes {
	unsigned char **pages;
	size_t count;
	off_t size;
};

struct inode {
	struct stat stat;
	/* Names in either state, and open files: without any, the inode is freed. */
	int uses;
	struct bytes seen, on_disk;
	struct names seen_names, names_on_disk;
	/* The folder of a new file: the `fsync` of the file puts its name there on disk. NULL when it is there. */
	struct inode *new_in;
	/* The folder it was renamed from, whose name goes from disk when the other comes: a rename is one change. */
	struct inode *moved_from;
	char *target;
	/* while all are gathered */
	bool is_gathered;
};

static struct inode *root;
static bool is_off, ignores_syncs;
static ino_t inodes_made;
static unsigned long long random_state = 1;
static struct {
	long pages, sizes, names;
} forgotten;

static bool coin(void) {
	/* xorshift64 */
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 32 & 1;
}

static void *must(void *memory) {
	if (!memory) abort();
	return memory;
}

/* Bytes */

static unsigned char *page_at(const struct bytes *bytes, size_t at) {
	return at < bytes->count ? bytes->pages[at] : NULL;
}

static void make_room(struct bytes *bytes, size_t count) {
	if (count <= bytes->count) return;
	size_t grown = count > 2 * bytes->count ? count : 2 * bytes->count;
	bytes->pages = must(realloc(bytes->pages, grown * sizeof *bytes->pages));
	memset(bytes->pages + bytes->count, 0, (grown - bytes->count) * sizeof *bytes->pages);
	bytes->count = grown;
}

static void put_page(struct bytes *bytes, size_t at, unsigned char *page) {
	if (!page && at >= bytes->count) return;
	make_room(bytes, at + 1);
	bytes->pages[at] = page;
}

static size_t pages_of(const struct inode *inode) {
	return inode->seen.count > inode->on_disk.count ? inode->seen.count : inode->on_disk.count;
}

/* The page to write to: not the one on disk. */
static unsigned char *own_page(struct inode *inode, size_t at) {
	unsigned char *seen = page_at(&inode->seen, at);
	if (seen && seen != page_at(&inode->on_disk, at)) return seen;
	unsigned char *own = must(malloc(page_bytes));
	if (seen) memcpy(own, seen, page_bytes);
	else memset(own, 0, page_bytes);
	put_page(&inode->seen, at, own);
	return own;
}

/* One state of a page becomes the other; what neither has any more is freed. */
static void take_page(struct inode *inode, size_t at, bool from_disk) {
	unsigned char *seen = page_at(&inode->seen, at), *on_disk = page_at(&inode->on_disk, at);
	if (seen == on_disk) return;
	free(from_disk ? seen : on_disk);
	if (from_disk) put_page(&inode->seen, at, on_disk);
	else put_page(&inode->on_disk, at, seen);
}

static void forget_page(struct inode *inode, size_t at) {
	unsigned char *seen = page_at(&inode->seen, at);
	if (!seen) return;
	if (seen != page_at(&inode->on_disk, at)) free(seen);
	inode->seen.pages[at] = NULL;
}

static void resize(struct inode *inode, off_t size) {
	for (size_t at = (size + page_bytes - 1) / page_bytes; at < inode->seen.count; at++) forget_page(inode, at);
	if (size < inode->seen.size && size % page_bytes && page_at(&inode->seen, size / page_bytes))
		memset(own_page(inode, size / page_bytes) + size % page_bytes, 0, page_bytes - size % page_bytes);
	inode->seen.size = size;
}

/* Names */

static struct name *find(const struct names *names, const char *text) {
	for (size_t at = 0; at < names->count; at++)
		if (strcmp(names->all[at].text, text) == 0) return &names->all[at];
	return NULL;
}

static void let_go(struct inode *inode);

static void add(struct names *names, const char *text, struct inode *inode) {
	names->all = must(realloc(names->all, (names->count + 1) * sizeof *names->all));
	names->all[names->count++] = (struct name){must(strdup(text)), inode};
	inode->uses++;
}

static void take_out(struct names *names, struct name *name) {
	struct inode *inode = name->inode;
	free(name->text);
	*name = names->all[--names->count];
	let_go(inode);
}

static void empty(struct names *names) {
	while (names->count) take_out(names, &names->all[names->count - 1]);
	free(names->all);
	*names = (struct names){0};
}

static void copy_names(struct names *to, const struct names *from) {
	struct names copy = {0};
	for (size_t at = 0; at < from->count; at++) add(&copy, from->all[at].text, from->all[at].inode);
	empty(to);
	*to = copy;
}

static void refer(struct inode **reference, struct inode *folder) {
	struct inode *before = *reference;
	if (folder) folder->uses++;
	*reference = folder;
	if (before) let_go(before);
}

static void let_go(struct inode *inode) {
	if (--inode->uses > 0) return;
	refer(&inode->new_in, NULL);
	refer(&inode->moved_from, NULL);
	empty(&inode->seen_names);
	empty(&inode->names_on_disk);
	for (size_t at = 0; at < pages_of(inode); at++) {
		unsigned char *seen = page_at(&inode->seen, at), *on_disk = page_at(&inode->on_disk, at);
		free(seen);
		if (on_disk != seen) free(on_disk);
	}
	free(inode->seen.pages);
	free(inode->on_disk.pages);
	free(inode->target);
	free(inode);
}

/* Paths */

static struct inode *at_path(const char *path) {
	struct inode *here = root;
	char copy[4096];
	if (strlen(path) >= sizeof copy) return NULL;
	strcpy(copy, path);
	char *rest = copy;
	for (char *part; here && (part = strsep(&rest, "/"));) {
		if (!*part) continue;
		struct name *name = find(&here->seen_names, part);
		here = name ? name->inode : NULL;
	}
	return here;
}

static struct inode *folder_of(const char *path, const char **last) {
	char copy[4096];
	const char *slash = strrchr(path, '/');
	*last = slash + 1;
	if ((size_t)(slash - path) >= sizeof copy) return NULL;
	memcpy(copy, path, slash - path);
	copy[slash - path] = 0;
	struct inode *folder = at_path(copy);
	return folder && S_ISDIR(folder->stat.st_mode) ? folder : NULL;
}

static void touch(struct inode *inode) {
	clock_gettime(CLOCK_REALTIME, &inode->stat.st_mtim);
	inode->stat.st_ctim = inode->stat.st_mtim;
}

static struct inode *made(mode_t mode) {
	struct inode *inode = must(calloc(1, sizeof *inode));
	struct fuse_context *context = fuse_get_context();
	inode->stat.st_mode = mode;
	inode->stat.st_ino = ++inodes_made;
	inode->stat.st_uid = context ? context->uid : getuid();
	inode->stat.st_gid = context ? context->gid : getgid();
	touch(inode);
	inode->stat.st_atim = inode->stat.st_mtim;
	return inode;
}

static int make(const char *path, mode_t mode, struct inode **result) {
	const char *last;
	struct inode *folder = folder_of(path, &last);
	if (!folder) return -ENOENT;
	if (strlen(last) > 255) return -ENAMETOOLONG;
	if (find(&folder->seen_names, last)) return -EEXIST;
	struct inode *inode = made(mode);
	add(&folder->seen_names, last, inode);
	refer(&inode->new_in, folder);
	touch(folder);
	if (result) *result = inode;
	return 0;
}

/* What is on disk */

static void sync_move(struct inode *inode) {
	struct inode *folder = inode->moved_from;
	if (!folder) return;
	for (size_t at = folder->names_on_disk.count; at-- > 0;) {
		struct name *name = &folder->names_on_disk.all[at];
		struct name *seen = find(&folder->seen_names, name->text);
		if (name->inode == inode && (!seen || seen->inode != inode)) take_out(&folder->names_on_disk, name);
	}
	refer(&inode->moved_from, NULL);
}

static void sync_new_names(struct inode *inode) {
	struct inode *folder = inode->new_in;
	if (!folder) return;
	for (size_t at = 0; at < folder->seen_names.count; at++) {
		struct name *name = &folder->seen_names.all[at];
		if (name->inode != inode) continue;
		struct name *old = find(&folder->names_on_disk, name->text);
		if (old) take_out(&folder->names_on_disk, old);
		add(&folder->names_on_disk, name->text, inode);
	}
	sync_move(inode);
	sync_new_names(folder);
	refer(&inode->new_in, NULL);
}

static void sync_inode(struct inode *inode) {
	for (size_t at = 0; at < pages_of(inode); at++) take_page(inode, at, false);
	inode->on_disk.size = inode->seen.size;
	sync_new_names(inode);
	if (!S_ISDIR(inode->stat.st_mode)) return;
	copy_names(&inode->names_on_disk, &inode->seen_names);
	for (size_t at = 0; at < inode->seen_names.count; at++) {
		sync_move(inode->seen_names.all[at].inode);
		refer(&inode->seen_names.all[at].inode->new_in, NULL);
	}
}

/* Each inode once, whichever state reaches it. */
struct list {
	struct inode **all;
	size_t count;
};

static void gather(struct list *list, struct inode *inode) {
	if (inode->is_gathered) return;
	inode->is_gathered = true;
	inode->uses++;
	list->all = must(realloc(list->all, (list->count + 1) * sizeof *list->all));
	list->all[list->count++] = inode;
	for (size_t at = 0; at < inode->seen_names.count; at++) gather(list, inode->seen_names.all[at].inode);
	for (size_t at = 0; at < inode->names_on_disk.count; at++) gather(list, inode->names_on_disk.all[at].inode);
}

static size_t names_that_differ(const struct names *some, const struct names *others) {
	size_t count = 0;
	for (size_t at = 0; at < some->count; at++) {
		struct name *same = find(others, some->all[at].text);
		if (!same || same->inode != some->all[at].inode) count++;
	}
	return count;
}

static void lose(bool some) {
	memset(&forgotten, 0, sizeof forgotten);
	struct list list = {0};
	gather(&list, root);
	bool keeps_names = some && coin();
	for (size_t at = 0; at < list.count; at++) {
		struct inode *inode = list.all[at];
		size_t before = pages_of(inode);
		for (size_t page = 0; page < before; page++) {
			if (page_at(&inode->seen, page) == page_at(&inode->on_disk, page)) continue;
			bool goes_back = !some || coin();
			take_page(inode, page, goes_back);
			if (goes_back) forgotten.pages++;
		}
		if (inode->seen.size != inode->on_disk.size) {
			if (some && coin()) inode->on_disk.size = inode->seen.size;
			else forgotten.sizes++;
		}
		/* What is beyond the size is zeros if the file grows again. */
		inode->seen.size = inode->on_disk.size;
		resize(inode, inode->seen.size);
		for (size_t page = 0; page < pages_of(inode); page++) take_page(inode, page, false);
		if (!S_ISDIR(inode->stat.st_mode)) continue;
		if (keeps_names) copy_names(&inode->names_on_disk, &inode->seen_names);
		else {
			forgotten.names += names_that_differ(&inode->seen_names, &inode->names_on_disk) +
				names_that_differ(&inode->names_on_disk, &inode->seen_names);
			copy_names(&inode->seen_names, &inode->names_on_disk);
		}
	}
	for (size_t at = 0; at < list.count; at++) list.all[at]->stat.st_nlink = 0;
	for (size_t at = 0; at < list.count; at++)
		for (size_t name = 0; name < list.all[at]->seen_names.count; name++)
			list.all[at]->seen_names.all[name].inode->stat.st_nlink++;
	for (size_t at = 0; at < list.count; at++) {
		list.all[at]->is_gathered = false;
		refer(&list.all[at]->new_in, NULL);
		refer(&list.all[at]->moved_from, NULL);
		let_go(list.all[at]);
	}
	free(list.all);
}

/* The file of commands */

static const char commands[] = "/.power";

static bool is_commands(const char *path, const struct fuse_file_info *info) {
	return info && info->fh ? info->fh == (uint64_t)commands : path && strcmp(path, commands) == 0;
}

static int command(const char *text, size_t length) {
	char line[64] = {0};
	if (length >= sizeof line) return -EINVAL;
	memcpy(line, text, length);
	unsigned long long seed;
	if (strcmp(line, "on") == 0) is_off = false;
	else if (strcmp(line, "ignore syncs") == 0) ignores_syncs = true;
	else if (strcmp(line, "off all") == 0) lose(false), is_off = true;
	else if (sscanf(line, "off some %llu", &seed) == 1 && seed) random_state = seed, lose(true), is_off = true;
	else return -EINVAL;
	return length;
}

/* Calls of programs */

static struct inode *of(const char *path, struct fuse_file_info *info) {
	return info && info->fh ? (struct inode *)info->fh : at_path(path);
}

#define NEEDS_POWER \
	if (is_off) return -EIO
#define INODE(path, info) \
	struct inode *inode = of(path, info); \
	if (!inode) return -ENOENT

static int on_getattr(const char *path, struct stat *stat, struct fuse_file_info *info) {
	if (is_commands(path, info)) {
		*stat = (struct stat){.st_mode = S_IFREG | 0600, .st_nlink = 1, .st_uid = getuid()};
		return 0;
	}
	INODE(path, info);
	if (inode != root) NEEDS_POWER;
	*stat = inode->stat;
	stat->st_size = S_ISLNK(stat->st_mode) ? (off_t)strlen(inode->target) : inode->seen.size;
	stat->st_blocks = (stat->st_size + 511) / 512;
	stat->st_blksize = page_bytes;
	/* The number of names of a file is what its programs see; folders count their own as most file systems do. */
	stat->st_nlink = S_ISDIR(stat->st_mode) ? 2 : inode->stat.st_nlink;
	return 0;
}

static int on_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *info,
	enum fuse_readdir_flags flags) {
	(void)offset, (void)flags;
	NEEDS_POWER;
	INODE(path, info);
	fill(buffer, ".", NULL, 0, 0);
	fill(buffer, "..", NULL, 0, 0);
	for (size_t at = 0; at < inode->seen_names.count; at++) fill(buffer, inode->seen_names.all[at].text, NULL, 0, 0);
	return 0;
}

static int on_mkdir(const char *path, mode_t mode) {
	NEEDS_POWER;
	return make(path, S_IFDIR | mode, NULL);
}

static int on_mknod(const char *path, mode_t mode, dev_t device) {
	(void)device;
	NEEDS_POWER;
	struct inode *inode;
	int error = make(path, mode, &inode);
	if (!error) inode->stat.st_nlink = 1;
	return error;
}

static int on_symlink(const char *target, const char *path) {
	NEEDS_POWER;
	struct inode *inode;
	int error = make(path, S_IFLNK | 0777, &inode);
	if (error) return error;
	inode->stat.st_nlink = 1;
	inode->target = must(strdup(target));
	return 0;
}

static int on_readlink(const char *path, char *buffer, size_t size) {
	NEEDS_POWER;
	INODE(path, NULL);
	snprintf(buffer, size, "%s", inode->target);
	return 0;
}

static int on_link(const char *from, const char *to) {
	NEEDS_POWER;
	INODE(from, NULL);
	const char *last;
	struct inode *folder = folder_of(to, &last);
	if (!folder) return -ENOENT;
	if (find(&folder->seen_names, last)) return -EEXIST;
	add(&folder->seen_names, last, inode);
	inode->stat.st_nlink++;
	touch(folder);
	return 0;
}

static int remove_name(const char *path, bool folders) {
	NEEDS_POWER;
	const char *last;
	struct inode *folder = folder_of(path, &last);
	struct name *name = folder ? find(&folder->seen_names, last) : NULL;
	if (!name) return -ENOENT;
	if (folders && name->inode->seen_names.count) return -ENOTEMPTY;
	name->inode->stat.st_nlink--;
	take_out(&folder->seen_names, name);
	touch(folder);
	return 0;
}

static int on_unlink(const char *path) {
	return remove_name(path, false);
}

static int on_rmdir(const char *path) {
	return remove_name(path, true);
}

static int on_rename(const char *from, const char *to, unsigned flags) {
	NEEDS_POWER;
	if (flags & ~RENAME_NOREPLACE) return -EINVAL;
	const char *old_text, *new_text;
	struct inode *old_folder = folder_of(from, &old_text), *new_folder = folder_of(to, &new_text);
	struct name *name = old_folder ? find(&old_folder->seen_names, old_text) : NULL;
	if (!name || !new_folder) return -ENOENT;
	struct inode *inode = name->inode;
	struct name *replaced = find(&new_folder->seen_names, new_text);
	if (replaced) {
		if (flags & RENAME_NOREPLACE) return -EEXIST;
		if (replaced->inode == inode) return 0;
		if (replaced->inode->seen_names.count) return -ENOTEMPTY;
		replaced->inode->stat.st_nlink--;
		take_out(&new_folder->seen_names, replaced);
	}
	add(&new_folder->seen_names, new_text, inode);
	take_out(&old_folder->seen_names, find(&old_folder->seen_names, old_text));
	if (inode->new_in) refer(&inode->new_in, new_folder);
	if (old_folder != new_folder) refer(&inode->moved_from, old_folder);
	touch(old_folder);
	touch(new_folder);
	return 0;
}

static int on_chmod(const char *path, mode_t mode, struct fuse_file_info *info) {
	NEEDS_POWER;
	INODE(path, info);
	inode->stat.st_mode = (inode->stat.st_mode & S_IFMT) | (mode & ~S_IFMT);
	return 0;
}

static int on_chown(const char *path, uid_t uid, gid_t gid, struct fuse_file_info *info) {
	NEEDS_POWER;
	INODE(path, info);
	if (uid != (uid_t)-1) inode->stat.st_uid = uid;
	if (gid != (gid_t)-1) inode->stat.st_gid = gid;
	return 0;
}

static int on_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *info) {
	NEEDS_POWER;
	INODE(path, info);
	if (times[0].tv_nsec == UTIME_NOW) clock_gettime(CLOCK_REALTIME, &inode->stat.st_atim);
	else if (times[0].tv_nsec != UTIME_OMIT) inode->stat.st_atim = times[0];
	if (times[1].tv_nsec == UTIME_NOW) clock_gettime(CLOCK_REALTIME, &inode->stat.st_mtim);
	else if (times[1].tv_nsec != UTIME_OMIT) inode->stat.st_mtim = times[1];
	return 0;
}

static int on_open(const char *path, struct fuse_file_info *info) {
	/* Without the kernel's cache of pages, no program sees what a loss has forgotten. */
	info->direct_io = 1;
	if (is_commands(path, info)) {
		info->fh = (uint64_t)commands;
		return 0;
	}
	NEEDS_POWER;
	INODE(path, NULL);
	if (info->flags & O_TRUNC && S_ISREG(inode->stat.st_mode)) resize(inode, 0);
	inode->uses++;
	info->fh = (uint64_t)inode;
	return 0;
}

static int on_create(const char *path, mode_t mode, struct fuse_file_info *info) {
	NEEDS_POWER;
	int error = on_mknod(path, S_IFREG | (mode & ~S_IFMT), 0);
	return error ? error : on_open(path, info);
}

static int on_release(const char *path, struct fuse_file_info *info) {
	(void)path;
	if (!is_commands(NULL, info)) let_go((struct inode *)info->fh);
	return 0;
}

static int on_read(const char *path, char *buffer, size_t length, off_t offset, struct fuse_file_info *info) {
	if (is_commands(path, info)) {
		char told[128];
		int count = snprintf(told, sizeof told, "{\"pages\":%ld,\"sizes\":%ld,\"names\":%ld}\n", forgotten.pages,
			forgotten.sizes, forgotten.names);
		if (offset >= count) return 0;
		if (length > (size_t)(count - offset)) length = count - offset;
		memcpy(buffer, told + offset, length);
		return length;
	}
	NEEDS_POWER;
	INODE(path, info);
	if (offset >= inode->seen.size) return 0;
	if ((off_t)length > inode->seen.size - offset) length = inode->seen.size - offset;
	for (size_t done = 0; done < length;) {
		size_t within = (offset + done) % page_bytes, part = page_bytes - within;
		if (part > length - done) part = length - done;
		unsigned char *page = page_at(&inode->seen, (offset + done) / page_bytes);
		if (page) memcpy(buffer + done, page + within, part);
		else memset(buffer + done, 0, part);
		done += part;
	}
	return length;
}

static int on_write(const char *path, const char *buffer, size_t length, off_t offset, struct fuse_file_info *info) {
	if (is_commands(path, info)) return command(buffer, length);
	NEEDS_POWER;
	INODE(path, info);
	if (info->flags & O_APPEND) offset = inode->seen.size;
	for (size_t done = 0; done < length;) {
		size_t within = (offset + done) % page_bytes, part = page_bytes - within;
		if (part > length - done) part = length - done;
		memcpy(own_page(inode, (offset + done) / page_bytes) + within, buffer + done, part);
		done += part;
	}
	if (offset + (off_t)length > inode->seen.size) inode->seen.size = offset + length;
	touch(inode);
	return length;
}

static int on_truncate(const char *path, off_t size, struct fuse_file_info *info) {
	if (is_commands(path, info)) return 0;
	NEEDS_POWER;
	INODE(path, info);
	resize(inode, size);
	touch(inode);
	return 0;
}

static int on_fallocate(const char *path, int mode, off_t offset, off_t length, struct fuse_file_info *info) {
	NEEDS_POWER;
	INODE(path, info);
	if (mode) return -EOPNOTSUPP;
	if (offset + length > inode->seen.size) inode->seen.size = offset + length;
	return 0;
}

static int on_fsync(const char *path, int data_only, struct fuse_file_info *info) {
	(void)data_only;
	if (is_commands(path, info)) return 0;
	NEEDS_POWER;
	INODE(path, info);
	if (!ignores_syncs) sync_inode(inode);
	return 0;
}

static int on_statfs(const char *path, struct statvfs *stat) {
	(void)path;
	NEEDS_POWER;
	*stat = (struct statvfs){.f_bsize = page_bytes, .f_frsize = page_bytes, .f_namemax = 255};
	stat->f_blocks = stat->f_bfree = stat->f_bavail = 1 << 24;
	stat->f_files = stat->f_ffree = stat->f_favail = 1 << 24;
	return 0;
}

static void *on_init(struct fuse_conn_info *connection, struct fuse_config *config) {
	(void)connection;
	config->use_ino = 1;
	config->hard_remove = 1;
	config->nullpath_ok = 1;
	config->entry_timeout = config->attr_timeout = config->negative_timeout = 0;
	config->ac_attr_timeout = 0;
	return NULL;
}

static const struct fuse_operations calls = {
	.init = on_init,
	.getattr = on_getattr,
	.readdir = on_readdir,
	.mkdir = on_mkdir,
	.mknod = on_mknod,
	.symlink = on_symlink,
	.readlink = on_readlink,
	.link = on_link,
	.unlink = on_unlink,
	.rmdir = on_rmdir,
	.rename = on_rename,
	.chmod = on_chmod,
	.chown = on_chown,
	.utimens = on_utimens,
	.open = on_open,
	.create = on_create,
	.release = on_release,
	.opendir = on_open,
	.releasedir = on_release,
	.read = on_read,
	.write = on_write,
	.truncate = on_truncate,
	.fallocate = on_fallocate,
	.fsync = on_fsync,
	.fsyncdir = on_fsync,
	.statfs = on_statfs,
};

int main(int count, char **words) {
	root = must(calloc(1, sizeof *root));
	root->stat.st_mode = S_IFDIR | 0755;
	root->stat.st_ino = ++inodes_made;
	root->stat.st_uid = getuid();
	root->stat.st_gid = getgid();
	root->uses = 1;
	touch(root);
	root->stat.st_atim = root->stat.st_mtim;
	return fuse_main(count, words, &calls, NULL);
}
