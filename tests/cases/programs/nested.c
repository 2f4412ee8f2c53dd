/* nested.c: calls with nested interrupts, on demand
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: nested
 *
 * Waits for a latency search of this process, then calls nested_f0 repeatedly. Real nested
 * interrupts are rare and of arbitrary length. Here the kernel runs the search's interrupt programs
 * on demand, at the times where the interrupts would begin and end.
 */

#include <dirent.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "spin.h"

#define INNER 0xfd /* RESCHEDULE in the kernel's arch/x86/include/asm/irq_vectors.h */
#define OUTER 0xf6 /* IRQ_WORK */

static int begin_program = -1, end_program = -1; /* program file descriptors */

/* --- finding the agent's programs --- */

static size_t
read_file (const char *path, char *text, size_t size)
{
  FILE *file = fopen (path, "r");
  size_t length = file != NULL ? fread (text, 1, size - 1, file) : 0;

  if (file != NULL)
    fclose (file);
  text[length] = '\0';
  return length;
}

/* Checks whether a process was started with a search of this one. */
static int
is_search_of_this_process (int pid)
{
  char path[64], text[8192], own[16];
  size_t length;

  snprintf (own, sizeof own, "%d", getpid ());
  snprintf (path, sizeof path, "/proc/%d/cmdline", pid);
  length = read_file (path, text, sizeof text);
  for (size_t i = 0; i < length; i += strlen (text + i) + 1)
    if (strcmp (text + i, own) == 0)
      return 1;
  return 0;
}

/* Returns 0 if there is no agent yet. */
static int
find_agent (void)
{
  DIR *folder = opendir ("/proc");
  int found = 0;

  for (struct dirent *entry; folder != NULL && found == 0 && (entry = readdir (folder)) != NULL;)
    {
      char path[300], text[512];
      int parent;

      snprintf (path, sizeof path, "/proc/%s/stat", entry->d_name);
      if (atoi (entry->d_name) > 0 && read_file (path, text, sizeof text) > 0
          && sscanf (text, "%*d (tailback-agent) %*c %d", &parent) == 1
          && is_search_of_this_process (parent))
        found = atoi (entry->d_name);
    }
  if (folder != NULL)
    closedir (folder);
  return found;
}

static void
take_program (uint32_t id)
{
  union bpf_attr attributes = { .prog_id = id };
  struct bpf_prog_info info = { 0 };
  int fd = (int) syscall (SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attributes, sizeof attributes);

  if (fd < 0)
    return;
  attributes = (union bpf_attr) { .info = { (uint32_t) fd, sizeof info, (uintptr_t) &info } };
  if (syscall (SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attributes, sizeof attributes) == 0
      && begin_program < 0 && strcmp (info.name, "on_interrupt") == 0)
    begin_program = fd;
  else if (end_program < 0 && strcmp (info.name, "on_vector_end") == 0)
    end_program = fd;
  else
    close (fd);
}

static void
take_programs (int agent)
{
  char path[400], text[4096];
  DIR *folder;

  snprintf (path, sizeof path, "/proc/%d/fdinfo", agent);
  folder = opendir (path);
  for (struct dirent *entry; folder != NULL && (entry = readdir (folder)) != NULL;)
    {
      const char *id;

      snprintf (path, sizeof path, "/proc/%d/fdinfo/%s", agent, entry->d_name);
      read_file (path, text, sizeof text);
      id = strstr (text, "prog_id:");
      if (id != NULL)
        take_program ((uint32_t) atoi (id + strlen ("prog_id:")));
    }
  if (folder != NULL)
    closedir (folder);
}

/* --- the searched calls --- */

NOINLINE static void
nested_interrupt (int program, uint64_t vector)
{
  union bpf_attr attributes = { .test = { .prog_fd = (uint32_t) program,
                                          .ctx_in = (uintptr_t) &vector,
                                          .ctx_size_in = sizeof vector } };

  if (syscall (SYS_bpf, BPF_PROG_TEST_RUN, &attributes, sizeof attributes) != 0)
    {
      perror ("BPF_PROG_TEST_RUN");
      exit (1);
    }
}

/* The outer interrupt takes 0.2 ms without the inner one, which takes 1 ms. */
NOINLINE static void
nested_f0 (void)
{
  SPIN (100000);
  nested_interrupt (begin_program, OUTER);
  SPIN (100000);
  nested_interrupt (begin_program, INNER);
  SPIN (1000000);
  nested_interrupt (end_program, INNER);
  SPIN (100000);
  nested_interrupt (end_program, OUTER);
  KEEP_FRAME;
}

/* Pins the thread, because a real interrupt begins and ends on the same CPU. */
static void
pin_thread (void)
{
  cpu_set_t cpus;

  CPU_ZERO (&cpus);
  CPU_SET ((unsigned) sched_getcpu (), &cpus);
  sched_setaffinity (0, sizeof cpus, &cpus);
}

int
main (void)
{
  calibrate ();
  pin_thread ();
  while (begin_program < 0 || end_program < 0)
    {
      int agent = find_agent ();

      if (agent > 0)
        take_programs (agent);
      usleep (10000);
    }
  for (;;)
    {
      nested_f0 ();
      usleep (3000);
    }
  return 0;
}
