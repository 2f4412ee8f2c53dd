/* tb-agent-libc.c: list of C library functions that may block; recognition of a C library by its
 * path, and file offsets of the listed functions, found in its symbol table, for probes at their
 * entries
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/tb-agent-libc.h"

#define MAX_SECTIONS 256
#define MAX_SYMBOLS 65536
#define MAX_NAME 32
#define MAX_SEGMENTS 64

/* Functions that programs call and that may block. Lock functions are included, because waits for
 * locks are of interest. */
static const char *const names[] = {
  "accept",
  "accept4",
  "clock_nanosleep",
  "close",
  "cnd_timedwait",
  "cnd_wait",
  "connect",
  "copy_file_range",
  "epoll_pwait",
  "epoll_pwait2",
  "epoll_wait",
  "fallocate",
  "fdatasync",
  "flock",
  "fsync",
  "ftruncate",
  "getdents64",
  "ioctl",
  "lockf",
  "mq_timedreceive",
  "mq_timedsend",
  "msgrcv",
  "msgsnd",
  "msync",
  "mtx_lock",
  "nanosleep",
  "open",
  "open64",
  "openat",
  "openat64",
  "pause",
  "poll",
  "ppoll",
  "pread",
  "pread64",
  "preadv",
  "pselect",
  "pthread_barrier_wait",
  "pthread_clockjoin_np",
  "pthread_cond_clockwait",
  "pthread_cond_timedwait",
  "pthread_cond_wait",
  "pthread_join",
  "pthread_mutex_clocklock",
  "pthread_mutex_lock",
  "pthread_mutex_timedlock",
  "pthread_rwlock_rdlock",
  "pthread_rwlock_wrlock",
  "pwrite",
  "pwrite64",
  "pwritev",
  "read",
  "readv",
  "recv",
  "recvfrom",
  "recvmmsg",
  "recvmsg",
  "rename",
  "select",
  "sem_clockwait",
  "sem_timedwait",
  "sem_wait",
  "semop",
  "semtimedop",
  "send",
  "sendfile",
  "sendfile64",
  "sendmmsg",
  "sendmsg",
  "sendto",
  "sigsuspend",
  "sigtimedwait",
  "sigwait",
  "sigwaitinfo",
  "sleep",
  "splice",
  "sync",
  "sync_file_range",
  "syncfs",
  "syscall",
  "unlink",
  "usleep",
  "wait",
  "wait3",
  "wait4",
  "waitid",
  "waitpid",
  "write",
  "writev",
};

int
tb_agent_libc_matches_path (const char *path)
{
  const char *base = strrchr (path, '/');

  base = base != NULL ? base + 1 : path;
  return strcmp (base, "libc.so.6") == 0 || strncmp (base, "libc-2.", 7) == 0
         || strncmp (base, "libpthread.so.0", 15) == 0 || strncmp (base, "ld-musl-", 8) == 0;
}

static int
is_wanted (const char *name)
{
  size_t low = 0, high = sizeof names / sizeof names[0];

  while (low < high)
    {
      size_t middle = (low + high) / 2;
      int order = strcmp (names[middle], name);

      if (order == 0)
        return 1;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return 0;
}

static int
read_at (int file, uint64_t offset, void *to, size_t size)
{
  return offset <= INT64_MAX && pread (file, to, size, (off_t) offset) == (ssize_t) size ? 0 : -1;
}

/* Returns -1 if no executable segment of the file is mapped there. */
static int64_t
find_offset (int file, const Elf64_Ehdr *header, uint64_t address)
{
  for (unsigned i = 0; i < header->e_phnum && i < MAX_SEGMENTS; i++)
    {
      Elf64_Phdr segment;

      if (read_at (file, header->e_phoff + (uint64_t) i * sizeof segment, &segment, sizeof segment)
          != 0)
        return -1;
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && address >= segment.p_vaddr
          && address - segment.p_vaddr < segment.p_filesz
          && segment.p_offset <= (uint64_t) INT64_MAX - segment.p_filesz)
        return (int64_t) (segment.p_offset + (address - segment.p_vaddr));
    }
  return -1;
}

/* Single-stepping the marker (endbr64) would cost ten times as much as the probe itself. */
static uint64_t
skip_marker (int file, uint64_t offset)
{
  static const uint8_t marker[4] = { 0xf3, 0x0f, 0x1e, 0xfa };
  uint8_t code[sizeof marker];

  if (read_at (file, offset, code, sizeof code) == 0 && memcmp (code, marker, sizeof marker) == 0)
    return offset + sizeof marker;
  return offset;
}

static size_t
add_offset (uint64_t *offsets, size_t n, uint64_t offset)
{
  for (size_t i = 0; i < n; i++)
    if (offsets[i] == offset)
      return n;
  if (n < TB_AGENT_MAX_LIBC_FUNCTIONS)
    offsets[n++] = offset;
  return n;
}

static size_t
read_symbols (int file,
              const Elf64_Ehdr *header,
              const Elf64_Shdr *table,
              const Elf64_Shdr *strings,
              uint64_t *offsets)
{
  uint64_t count = table->sh_size / sizeof (Elf64_Sym);
  size_t n = 0;

  for (uint64_t i = 0; i < count && i < MAX_SYMBOLS; i++)
    {
      char name[MAX_NAME + 1] = "";
      Elf64_Sym symbol;
      int64_t offset;
      ssize_t got;

      if (read_at (file, table->sh_offset + i * sizeof symbol, &symbol, sizeof symbol) != 0)
        break;
      if (ELF64_ST_TYPE (symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF
          || symbol.st_name >= strings->sh_size
          || strings->sh_offset > (uint64_t) INT64_MAX - symbol.st_name)
        continue;
      got = pread (file, name, MAX_NAME, (off_t) (strings->sh_offset + symbol.st_name));
      if (got <= 0 || !is_wanted (name))
        continue;
      offset = find_offset (file, header, symbol.st_value);
      if (offset >= 0)
        n = add_offset (offsets, n, skip_marker (file, (uint64_t) offset));
    }
  return n;
}

size_t
tb_agent_libc_find_functions (int file, uint64_t offsets[TB_AGENT_MAX_LIBC_FUNCTIONS])
{
  Elf64_Ehdr header;
  Elf64_Shdr table, strings;

  if (read_at (file, 0, &header, sizeof header) != 0
      || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64
      || header.e_ident[EI_DATA]
             != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)
      || header.e_shentsize != sizeof table || header.e_phentsize != sizeof (Elf64_Phdr))
    return 0;
  for (unsigned i = 0; i < header.e_shnum && i < MAX_SECTIONS; i++)
    {
      if (read_at (file, header.e_shoff + (uint64_t) i * sizeof table, &table, sizeof table) != 0)
        return 0;
      if (table.sh_type != SHT_DYNSYM || table.sh_link >= header.e_shnum
          || table.sh_offset > INT64_MAX / 2)
        continue;
      if (read_at (file, header.e_shoff + (uint64_t) table.sh_link * sizeof strings, &strings,
                   sizeof strings)
          != 0)
        return 0;
      return read_symbols (file, &header, &table, &strings, offsets);
    }
  return 0;
}
