/* SPDX-License-Identifier: MIT */
/* minivm/base/place.c -- what stands at an address: library, function. */

#include "base/place.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* ---- mappings: /proc/self/maps ---- */

struct lines {
    int fd;
    size_t used, at;
    char bytes[1024];
};

/* The next line without its end, cut off where it is too long for size. */
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

/* A number at *p, which then stands behind it and one separator. */
static uintptr_t
take_number(const char **p, unsigned base)
{
    uintptr_t value = 0;

    for (;; (*p)++) {
        char c = **p;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : base;
        if (digit >= base)
            break;
        value = value * base + digit;
    }
    *p += **p != '\0';
    return value;
}

/* One line: START-END PERMISSIONS OFFSET DEVICE INODE PATH. */
static bool
read_mapping(const char *line, uintptr_t address, struct place *p, uintptr_t *in_file,
             struct stat *id)
{
    const char *at = line;

    p->start = take_number(&at, 16);
    p->end = take_number(&at, 16);
    if (address < p->start || address >= p->end || strlen(at) < 5)
        return false;
    p->is_mapped = true;
    p->is_readable = at[0] == 'r';
    p->is_writable = at[1] == 'w';
    p->is_executable = at[2] == 'x';
    at += 5;
    *in_file = take_number(&at, 16) + (address - p->start);
    unsigned major = (unsigned)take_number(&at, 16);
    id->st_dev = makedev(major, (unsigned)take_number(&at, 16));
    id->st_ino = (ino_t)take_number(&at, 10);
    while (*at == ' ')
        at++;
    size_t length = strnlen(at, sizeof p->file - 1);
    memcpy(p->file, at, length);
    p->file[length] = '\0';
    return true;
}

static bool
find_mapping(uintptr_t address, struct place *p, uintptr_t *in_file, struct stat *id)
{
    struct lines in = { .fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC) };
    char line[640];
    bool found = false;

    memset(p, 0, sizeof *p);
    while (in.fd >= 0 && !found && next_line(&in, line, sizeof line))
        found = read_mapping(line, address, p, in_file, id);
    if (in.fd >= 0)
        close(in.fd);
    if (found)
        p->offset = address - p->start;
    return found;
}

/* ---- symbols: the file, which may be cut off or broken ---- */

struct image {
    const char *bytes;
    size_t size;
};

/* The file, if it still is the one that was mapped. */
static bool
image_open(struct image *image, const char *path, const struct stat *id)
{
    int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    struct stat now;
    void *at = MAP_FAILED;

    if (fd < 0)
        return false;
    if (fstat(fd, &now) == 0 && S_ISREG(now.st_mode) && now.st_ino == id->st_ino
        && now.st_size > (off_t)sizeof(ElfW(Ehdr)))
        at = mmap(NULL, (size_t)now.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return false;
    *image = (struct image){ at, (size_t)now.st_size };
    return true;
}

/* count things of size bytes at offset, or NULL when the file is not so long. */
static const void *
image_at(const struct image *image, uint64_t offset, uint64_t count, uint64_t size)
{
    if (offset > image->size || count > (image->size - offset) / size
        || offset % sizeof(uint32_t) != 0)
        return NULL;
    return image->bytes + offset;
}

/* The address that the file itself gives to what stands at in_file. */
static bool
own_address(const struct image *image, const ElfW(Ehdr) *header, uintptr_t in_file,
            uintptr_t *address)
{
    const ElfW(Phdr) *p = image_at(image, header->e_phoff, header->e_phnum, sizeof *p);

    for (unsigned i = 0; p && i < header->e_phnum; i++)
        if (p[i].p_type == PT_LOAD && in_file >= (p[i].p_offset & -4096u)
            && in_file < p[i].p_offset + p[i].p_filesz) {
            *address = p[i].p_vaddr + in_file - p[i].p_offset;
            return true;
        }
    return false;
}

/* The function of a symbol table that has address in it; failing that, the last one
   before it that has no size, as assembler code is. */
static void
find_in_table(const struct image *image, const ElfW(Shdr) *table,
              const ElfW(Shdr) *names, uintptr_t address, struct place *p)
{
    size_t count = table->sh_size / sizeof(ElfW(Sym));
    const ElfW(Sym) *s = image_at(image, table->sh_offset, count, sizeof *s);
    const ElfW(Sym) *best = NULL;

    for (size_t i = 0; s && i < count; i++) {
        unsigned type = ELF64_ST_TYPE(s[i].st_info);
        if ((type != STT_FUNC && type != STT_GNU_IFUNC) || s[i].st_shndx == SHN_UNDEF
            || s[i].st_value > address
            || (s[i].st_size > 0 && address >= s[i].st_value + s[i].st_size))
            continue;
        if (!best || s[i].st_value > best->st_value
            || (s[i].st_value == best->st_value && best->st_size == 0))
            best = &s[i];
    }
    if (!best || best->st_name >= names->sh_size
        || !image_at(image, names->sh_offset & -4u, names->sh_size, 1))
        return;
    const char *name = image->bytes + names->sh_offset + best->st_name;
    size_t room = names->sh_size - best->st_name;
    size_t most = sizeof p->symbol - 1;
    size_t length = strnlen(name, room < most ? room : most);
    memcpy(p->symbol, name, length);
    p->symbol[length] = '\0';
    p->symbol_offset = address - best->st_value;
}

static void
find_symbol(const struct image *image, const ElfW(Ehdr) *header, uintptr_t address,
            struct place *p)
{
    static const unsigned kinds[] = { SHT_SYMTAB, SHT_DYNSYM };
    const ElfW(Shdr) *s = image_at(image, header->e_shoff, header->e_shnum, sizeof *s);

    for (int k = 0; s && k < 2 && p->symbol[0] == '\0'; k++)
        for (unsigned i = 0; i < header->e_shnum; i++)
            if (s[i].sh_type == kinds[k] && s[i].sh_link < header->e_shnum)
                find_in_table(image, &s[i], &s[s[i].sh_link], address, p);
}

static bool
find(uintptr_t address, struct place *p, bool with_symbol)
{
    struct image image;
    struct stat id;
    uintptr_t in_file, own;

    if (!find_mapping(address, p, &in_file, &id))
        return false;
    if (!image_open(&image, p->file, &id))
        return true;
    const ElfW(Ehdr) *header = (const void *)image.bytes;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
        && own_address(&image, header, in_file, &own)) {
        p->offset = own;
        if (with_symbol)
            find_symbol(&image, header, own, p);
    }
    munmap((void *)(uintptr_t)image.bytes, image.size);
    return true;
}

bool
place_find(uintptr_t address, struct place *p)
{
    return find(address, p, false);
}

bool
place_find_symbol(uintptr_t address, struct place *p)
{
    return find(address, p, true);
}

const char *
place_library(const struct place *p)
{
    const char *slash = strrchr(p->file, '/');

    return slash ? slash + 1 : p->file;
}
