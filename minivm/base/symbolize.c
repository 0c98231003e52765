/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/symbolize.c -- which library, and which function in it, a native address
 * belongs to.
 *
 * First the lines of /proc/self/maps are searched for the mapping that contains the
 * address.  The mapping names a file and an offset in it.  Then that file is mapped,
 * for the duration of the call: its program headers turn the offset into the address by
 * which the file's own tables call the place, and the symbol tables are searched for
 * the function that contains it.
 *
 * The file may have been cut off or overwritten since it was loaded, so every offset
 * that is read from it is compared with its size before it is used.  All storage is on
 * the stack, and the functions called are system calls and safe in a signal handler.
 */

#include "base/symbolize.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Phdr) elf_segment;
typedef ElfW(Shdr) elf_section;
typedef ElfW(Sym) elf_symbol;

/* ---- mappings: /proc/self/maps ---- */

/* A file that is read line by line: bytes[at, used) were read and not yet returned. */
struct lines {
    int fd;
    size_t used, at;
    char bytes[1024];
};

/* Stores the next line without its newline, cut off at size - 1 bytes; returns false at
   the end of the file. */
static bool
next_line(struct lines *in, char *line, size_t size)
{
    size_t length = 0;

    for (;;) {
        if (in->at == in->used) {
            ssize_t n = read(in->fd, in->bytes, sizeof in->bytes);
            if (n <= 0)
                return false;
            in->used = (size_t)n;
            in->at = 0;
        }
        char c = in->bytes[in->at++];
        if (c == '\n')
            break;
        if (length + 1 < size)
            line[length++] = c;
    }
    line[length] = '\0';
    return true;
}

/* Parses the number at *p and moves *p behind it and behind one separator. */
static uintptr_t
parse_number(const char **p, unsigned base)
{
    uintptr_t value = 0;

    for (;; (*p)++) {
        char c = **p;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : base;
        if (digit >= base)
            break;
        value = value * base + digit;
    }
    *p += **p != '\0';
    return value;
}

/*
 * Parses a line of /proc/self/maps: START-END PERMISSIONS OFFSET DEVICE INODE PATH,
 * where PERMISSIONS are four letters and DEVICE is MAJOR:MINOR.  Returns false when the
 * mapping does not contain the address.  Else *in_file becomes the address's offset in
 * the file, and *inode the file's inode.  The device is skipped: on some file systems
 * (overlayfs, btrfs) it differs from the one that stat(2) tells.
 */
static bool
parse_mapping(const char *line, uintptr_t address, struct symbolized *s,
              uintptr_t *in_file, ino_t *inode)
{
    const char *at = line;

    s->start = parse_number(&at, 16);
    s->end = parse_number(&at, 16);
    if (address < s->start || address >= s->end || strlen(at) < 5)
        return false;
    s->is_mapped = true;
    s->is_readable = at[0] == 'r';
    s->is_writable = at[1] == 'w';
    s->is_executable = at[2] == 'x';
    at += 5;
    *in_file = parse_number(&at, 16) + (address - s->start);
    parse_number(&at, 16);
    parse_number(&at, 16);
    *inode = (ino_t)parse_number(&at, 10);
    while (*at == ' ')
        at++;
    size_t length = strnlen(at, sizeof s->file - 1);
    memcpy(s->file, at, length);
    s->file[length] = '\0';
    return true;
}

/* Looks for the mapping that contains the address; results as in parse_mapping. */
static bool
find_mapping(uintptr_t address, struct symbolized *s, uintptr_t *in_file, ino_t *inode)
{
    struct lines in = { .fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC) };
    char line[640];
    bool found = false;

    memset(s, 0, sizeof *s);
    while (in.fd >= 0 && !found && next_line(&in, line, sizeof line))
        found = parse_mapping(line, address, s, in_file, inode);
    if (in.fd >= 0)
        close(in.fd);
    if (found)
        s->offset = address - s->start;
    return found;
}

/* ---- symbols: the file, which may be cut off or broken ---- */

/* A file of a library, mapped for reading. */
struct image {
    const char *bytes;
    size_t size;
};

/* Maps the file; returns false when it is gone or no longer the one that the process
   has mapped, whose inode is given.  The caller unmaps image->bytes.  O_NONBLOCK keeps
   open from waiting if a pipe has taken the file's place. */
static bool
image_open(struct image *image, const char *path, ino_t inode)
{
    int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    struct stat now;
    void *at = MAP_FAILED;

    if (fd < 0)
        return false;
    if (fstat(fd, &now) == 0 && S_ISREG(now.st_mode) && now.st_ino == inode
        && now.st_size > (off_t)sizeof(elf_header))
        at = mmap(NULL, (size_t)now.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return false;
    *image = (struct image){ at, (size_t)now.st_size };
    return true;
}

/* Returns count things of size bytes at the offset, or NULL when the file is not so
   long or they are not aligned. */
static const void *
image_at(const struct image *image, uint64_t offset, uint64_t count, uint64_t size)
{
    if (offset > image->size || count > (image->size - offset) / size
        || offset % sizeof(uint32_t) != 0)
        return NULL;
    return image->bytes + offset;
}

/* The smallest page there is: a segment begins at a multiple of it. */
enum { PAGE_SIZE = 4096 };

/* Stores the address that the file's tables use for its byte at the offset in_file;
   returns false when no segment is loaded from there.  What is loaded begins at a page
   boundary, so a segment also has the bytes before its own in its first page. */
static bool
virtual_address(const struct image *image, const elf_header *header, uintptr_t in_file,
                uintptr_t *address)
{
    const elf_segment *p = image_at(image, header->e_phoff, header->e_phnum, sizeof *p);

    for (unsigned i = 0; p && i < header->e_phnum; i++)
        if (p[i].p_type == PT_LOAD
            && in_file >= p[i].p_offset - p[i].p_offset % PAGE_SIZE
            && in_file < p[i].p_offset + p[i].p_filesz) {
            *address = p[i].p_vaddr + in_file - p[i].p_offset;
            return true;
        }
    return false;
}

/* Looks in a symbol table for the function that contains the address; failing that, for
   the last one before it that has no size, as code written in assembler has none.
   Stores its name if there is one.  Of several at the same address the one that has a
   size is taken.  Names need no alignment, so their offset is rounded down before
   image_at checks it. */
static void
find_in_table(const struct image *image, const elf_section *table,
              const elf_section *names, uintptr_t address, struct symbolized *s)
{
    size_t count = table->sh_size / sizeof(elf_symbol);
    const elf_symbol *symbols = image_at(image, table->sh_offset, count,
                                         sizeof *symbols);
    const elf_symbol *best = NULL;

    for (size_t i = 0; symbols && i < count; i++) {
        const elf_symbol *c = &symbols[i];
        unsigned type = ELF64_ST_TYPE(c->st_info);
        if ((type != STT_FUNC && type != STT_GNU_IFUNC) || c->st_shndx == SHN_UNDEF
            || c->st_value > address
            || (c->st_size > 0 && address >= c->st_value + c->st_size))
            continue;
        if (!best || c->st_value > best->st_value
            || (c->st_value == best->st_value && best->st_size == 0))
            best = c;
    }
    if (!best || best->st_name >= names->sh_size
        || !image_at(image, names->sh_offset - names->sh_offset % sizeof(uint32_t),
                     names->sh_size, 1))
        return;
    const char *name = image->bytes + names->sh_offset + best->st_name;
    size_t room = names->sh_size - best->st_name;
    size_t most = sizeof s->symbol - 1;
    size_t length = strnlen(name, room < most ? room : most);
    memcpy(s->symbol, name, length);
    s->symbol[length] = '\0';
    s->symbol_offset = address - best->st_value;
}

/* Looks for the function of the address in the symbol table and, if that names none or
   was stripped from the file, in the dynamic one.  s->symbol stays empty when neither
   names one. */
static void
find_symbol(const struct image *image, const elf_header *header, uintptr_t address,
            struct symbolized *s)
{
    static const unsigned types[] = { SHT_SYMTAB, SHT_DYNSYM };
    const elf_section *sections = image_at(image, header->e_shoff, header->e_shnum,
                                           sizeof *sections);

    for (int k = 0; sections && k < 2 && s->symbol[0] == '\0'; k++)
        for (unsigned i = 0; i < header->e_shnum; i++)
            if (sections[i].sh_type == types[k]
                && sections[i].sh_link < header->e_shnum)
                find_in_table(image, &sections[i], &sections[sections[i].sh_link],
                              address, s);
}

/* Stores what is known of the address, its symbol only if with_symbol is true.  Returns
   false when nothing is mapped there; a file that cannot be read is no failure. */
static bool
find(uintptr_t address, struct symbolized *s, bool with_symbol)
{
    struct image image;
    ino_t inode = 0;
    uintptr_t in_file, virtual;

    if (!find_mapping(address, s, &in_file, &inode))
        return false;
    if (!image_open(&image, s->file, inode))
        return true;
    const elf_header *header = (const void *)image.bytes;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
        && virtual_address(&image, header, in_file, &virtual)) {
        s->offset = virtual;
        if (with_symbol)
            find_symbol(&image, header, virtual, s);
    }
    munmap((void *)(uintptr_t)image.bytes, image.size);
    return true;
}

bool
symbolize_mapping(uintptr_t address, struct symbolized *s)
{
    return find(address, s, false);
}

bool
symbolize(uintptr_t address, struct symbolized *s)
{
    return find(address, s, true);
}

const char *
symbolize_library(const struct symbolized *s)
{
    const char *slash = strrchr(s->file, '/');

    return slash ? slash + 1 : s->file;
}
