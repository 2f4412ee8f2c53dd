/* tb-peaks-call-arguments.c: meaning of the arguments of system calls: which are a file, a size,
 * flags or an address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-peaks-call-arguments.h"

/* Addresses of memory are above those of small programs without position-independent code. */
#define LEAST_ADDRESS (G_GINT64_CONSTANT (1) << 32)
#define MAX_ADDRESS (G_GINT64_CONSTANT (1) << 56)

/* One letter for each argument: d file, s size, f flags, a address, . other. From the manual pages
 * of section 2. */
static const struct
{
  const char *name;
  const char *arguments;
} calls[] = {
  { "accept", "daa" },
  { "accept4", "daaf" },
  { "access", "af" },
  { "bind", "das" },
  { "brk", "a" },
  { "clock_nanosleep", ".faa" },
  { "clone", "faaaa" },
  { "close", "d" },
  { "connect", "das" },
  { "copy_file_range", "dadasf" },
  { "dup2", "dd" },
  { "dup3", "ddf" },
  { "epoll_ctl", "dfda" },
  { "epoll_pwait", "das.as" },
  { "epoll_wait", "das." },
  { "execve", "aaa" },
  { "faccessat", "daff" },
  { "faccessat2", "daff" },
  { "fadvise64", "d.sf" },
  { "fallocate", "df.s" },
  { "fchmod", "df" },
  { "fcntl", "df." },
  { "fdatasync", "d" },
  { "flock", "df" },
  { "fstat", "da" },
  { "fsync", "d" },
  { "ftruncate", "ds" },
  { "futex", "af.aa." },
  { "getdents", "das" },
  { "getdents64", "das" },
  { "getrandom", "asf" },
  { "io_submit", ".sa" },
  { "io_uring_enter", "d..fas" },
  { "ioctl", "dfa" },
  { "lseek", "d.f" },
  { "lstat", "aa" },
  { "madvise", "asf" },
  { "mkdir", "af" },
  { "mkdirat", "daf" },
  { "mmap", "asffd." },
  { "mprotect", "asf" },
  { "mremap", "assfa" },
  { "msync", "asf" },
  { "munmap", "as" },
  { "nanosleep", "aa" },
  { "newfstatat", "daaf" },
  { "open", "aff" },
  { "openat", "daff" },
  { "poll", "as." },
  { "ppoll", "asaas" },
  { "pread64", "das." },
  { "preadv", "das.." },
  { "preadv2", "das..f" },
  { "pselect6", "saaaaa" },
  { "pwrite64", "das." },
  { "pwritev", "das.." },
  { "pwritev2", "das..f" },
  { "read", "das" },
  { "readahead", "d.s" },
  { "readlink", "aas" },
  { "readlinkat", "daas" },
  { "readv", "das" },
  { "recvfrom", "dasfaa" },
  { "recvmmsg", "dasfa" },
  { "recvmsg", "daf" },
  { "rename", "aa" },
  { "renameat2", "dadaf" },
  { "select", "saaaa" },
  { "sendfile", "ddas" },
  { "sendmmsg", "dasf" },
  { "sendmsg", "daf" },
  { "sendto", "dasfas" },
  { "shutdown", "df" },
  { "splice", "dadasf" },
  { "stat", "aa" },
  { "statx", "dafsa" },
  { "sync_file_range", "d.sf" },
  { "syncfs", "d" },
  { "truncate", "as" },
  { "unlink", "a" },
  { "unlinkat", "daf" },
  { "wait4", ".afa" },
  { "waitid", "f.afa" },
  { "write", "das" },
  { "writev", "das" },
};

TbPeaksArgument
tb_peaks_get_argument (const char *name, guint number)
{
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      if (!g_str_equal (calls[i].name, name))
        continue;
      switch (number < strlen (calls[i].arguments) ? calls[i].arguments[number] : '.')
        {
        case 'd':
          return TB_PEAKS_ARGUMENT_FILE;
        case 's':
          return TB_PEAKS_ARGUMENT_SIZE;
        case 'f':
          return TB_PEAKS_ARGUMENT_FLAGS;
        case 'a':
          return TB_PEAKS_ARGUMENT_ADDRESS;
        default:
          return TB_PEAKS_ARGUMENT_OTHER;
        }
    }
  return TB_PEAKS_ARGUMENT_OTHER;
}

gboolean
tb_peaks_are_addresses (const gint64 *values, guint n)
{
  guint n_addresses = 0, n_values = 0;

  for (guint i = 0; i < n; i++)
    {
      n_values += values[i] != 0;
      n_addresses += values[i] >= LEAST_ADDRESS && values[i] < MAX_ADDRESS;
    }
  return 2 * n_addresses > n_values;
}
