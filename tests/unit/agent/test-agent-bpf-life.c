/* test-agent-bpf-life.c: test of BPF programs when they are not available, with very many threads,
 * with a control group, and after the end of their agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../test-mode.h"
#include "agent-run.h"

#define N_THREADS 10000

/* All that allow perf events must go, too: otherwise the system could be recorded with them. */
static void
drop_capability (void)
{
  prctl (PR_CAPBSET_DROP, CAP_BPF);
  prctl (PR_CAPBSET_DROP, CAP_PERFMON);
  prctl (PR_CAPBSET_DROP, CAP_SYS_ADMIN);
}

/* Makes one command of bpf() fail, as in a kernel that rejects a program or that has no BPF. */
static void
filter_bpf (guint32 command, gboolean every, int error)
{
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[0])),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, command, 0, every ? 0 : 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (guint32) error),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (filter), filter };

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit (125);
}

static void
refuse_programs (void)
{
  filter_bpf (BPF_PROG_LOAD, FALSE, EINVAL);
}

static void
have_no_bpf (void)
{
  filter_bpf (BPF_MAP_CREATE, TRUE, ENOSYS);
}

/* Another backend is used, and the header has the reason. A recording is possible. */
static void
check_fallback (void (*before) (void),
                const char *const *environment,
                TbCaptureBackend backend,
                TbCaptureStatusCode code,
                guint error)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, getpid ());
  AgentRun *run;

  agent_run_before_exec = before;
  run = agent_run_new (AGENT_SAME_USER, NULL, environment);
  agent_run_before_exec = NULL;
  g_assert_cmpuint (run->header.backend, ==, backend);
  g_assert_cmpuint (run->header.n_refusals, ==, (guint) backend - TB_CAPTURE_BACKEND_BPF);
  g_assert_cmpuint (run->header.refusals[0].backend, ==, TB_CAPTURE_BACKEND_BPF);
  g_assert_cmpuint (run->header.refusals[0].message.code, ==, code);
  g_assert_cmpuint (run->header.refusals[0].message.error, ==, error);
  /* The argument is a path or a cause. */
  if (code == TB_CAPTURE_CODE_NO_BTF)
    g_assert_cmpstr (tb_capture_message_get (&run->header.refusals[0].message, 0), ==,
                     "/nowhere/vmlinux");
  else
    g_assert_cmpuint (run->header.refusals[0].message.n_arguments, >=, 3);
  agent_run_start (run, &start);
  /* This process is recorded. */
  for (guint i = 0; i < 5; i++)
    g_usleep (1000);
  agent_run_stop (run);
  agent_run_check (run);
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_SWITCH), >, 0);
  agent_run_free (run);
}

static void
test_no_types (void)
{
  static const char *const environment[] = { "TAILBACK_BTF=/nowhere/vmlinux", NULL };

  if (agent_run_is_privileged ())
    check_fallback (NULL, environment, TB_CAPTURE_BACKEND_PERF, TB_CAPTURE_CODE_NO_BTF, ENOENT);
}

static void
test_no_capability (void)
{
  if (agent_run_is_privileged () && agent_run_is_system_protected ())
    check_fallback (drop_capability, NULL, TB_CAPTURE_BACKEND_OWN,
                    TB_CAPTURE_CODE_BPF_NOT_PERMITTED, EPERM);
}

static void
test_refused (void)
{
  if (agent_run_is_privileged ())
    check_fallback (refuse_programs, NULL, TB_CAPTURE_BACKEND_PERF, TB_CAPTURE_CODE_BPF_REFUSED,
                    EINVAL);
}

static void
test_no_bpf (void)
{
  if (agent_run_is_privileged ())
    check_fallback (have_no_bpf, NULL, TB_CAPTURE_BACKEND_PERF, TB_CAPTURE_CODE_BPF_NOT_AVAILABLE,
                    ENOSYS);
}

static void *
run_thread (void *data)
{
  pause ();
  return NULL;
}

static pid_t
fork_many_threads (void)
{
  int ready_pipe[2];
  pid_t pid;
  char byte;

  g_assert_cmpint (pipe2 (ready_pipe, O_CLOEXEC), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      pthread_attr_t attributes;
      pthread_t thread;

      prctl (PR_SET_PDEATHSIG, SIGKILL);
      pthread_attr_init (&attributes);
      pthread_attr_setstacksize (&attributes, 32768);
      for (guint i = 1; i < N_THREADS; i++)
        if (pthread_create (&thread, &attributes, run_thread, NULL) != 0)
          _exit (1);
      if (write (ready_pipe[1], "x", 1) != 1)
        _exit (1);
      pause ();
    }
  close (ready_pipe[1]);
  if (read (ready_pipe[0], &byte, 1) != 1)
    {
      waitpid (pid, NULL, 0);
      pid = -1;
    }
  close (ready_pipe[0]);
  return pid;
}

static void
test_many_threads (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  g_autoptr (GHashTable) listed = g_hash_table_new (NULL, NULL);
  AgentRun *run;
  pid_t pid;

  if (!agent_run_is_privileged ())
    return;
  pid = fork_many_threads ();
  if (pid < 0)
    {
      g_test_skip ("so many threads are not permitted here");
      return;
    }
  /* Room for all events of a busy machine while the agent does not run. */
  start.start.ring_bytes = 64u << 20;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  agent_run_stop (run);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  agent_run_check (run);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_TASK && record->task.pid == pid)
      g_assert_true (g_hash_table_add (listed, GINT_TO_POINTER (record->task.tid)));
    if (record->type == TB_CAPTURE_LOST)
      g_error ("%" G_GUINT64_FORMAT " events lost on cpu %u in %" G_GUINT64_FORMAT " ns",
               record->lost.count, record->cpu, record->time - record->lost.from);
  }
  g_assert_cmpuint (g_hash_table_size (listed), ==, N_THREADS);
  agent_run_free (run);
}

/* The target ends between the check of its existence and the first event. */
static void
test_target_ends (void)
{
  if (!agent_run_is_privileged ())
    return;
  for (guint i = 0; i < 6; i += test_step (1 + (guint) g_test_rand_int_range (0, 3)))
    {
      pid_t pid = fork ();
      TbCaptureRecord start;
      AgentRun *run;
      int armed;

      if (pid == 0)
        {
          pause ();
          _exit (0);
        }
      start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, pid);
      run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
      if (i == 0)
        {
          kill (pid, SIGKILL);
          waitpid (pid, NULL, 0);
        }
      agent_run_send (run, &start);
      g_usleep (i * 20000);
      kill (pid, SIGKILL);
      if (i > 0)
        waitpid (pid, NULL, 0);
      armed = agent_run_wait_status (run, TB_CAPTURE_STATUS_ARMED);
      if (armed < 0)
        {
          run->n_waited = 0;
          g_assert_cmpint (agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED), >=, 0);
          agent_run_finish (run);
        }
      else
        {
          agent_run_stop (run);
          agent_run_check (run);
        }
      agent_run_free (run);
    }
}

/* IDs of the open files of a process, from lines like "link_id:\t17" in /proc. */
static GArray *
list_ids (pid_t pid, const char *key)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/fdinfo", pid);
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  const char *name;

  g_assert_nonnull (files);
  while ((name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;
      const char *line;
      guint32 id;

      if (!g_file_get_contents (path, &text, NULL, NULL) || (line = strstr (text, key)) == NULL)
        continue;
      id = (guint32) g_ascii_strtoull (line + strlen (key), NULL, 10);
      g_array_append_val (ids, id);
    }
  return ids;
}

/* Number of IDs that still exist in the kernel. */
static guint
count_alive (const GArray *ids, enum bpf_cmd command)
{
  guint n = 0;

  for (guint i = 0; i < ids->len; i++)
    {
      union bpf_attr attr;
      int fd;

      memset (&attr, 0, sizeof attr);
      /* The ID has the same offset in the requests for programs, maps and links. */
      attr.prog_id = g_array_index (ids, guint32, i);
      fd = (int) syscall (SYS_bpf, command, &attr, sizeof attr);
      if (fd >= 0)
        {
          n++;
          close (fd);
        }
    }
  return n;
}

typedef enum
{
  STOPPED,
  KILLED,
  INPUT_CLOSED,
  OUTPUT_CLOSED,
  N_ENDS,
} End;

static void
end_run (AgentRun *run, End end)
{
  switch (end)
    {
    case STOPPED:
      agent_run_stop (run);
      break;
    case KILLED:
      kill (run->pid, SIGKILL);
      agent_run_finish (run);
      break;
    case INPUT_CLOSED:
      close (run->in);
      run->in = -1;
      agent_run_finish (run);
      break;
    default:
      close (run->out);
      run->out = -1;
      waitpid (run->pid, &run->wait_status, 0);
      run->pid = 0;
    }
}

static void
test_detached (void)
{
  static const struct
  {
    const char *key;
    enum bpf_cmd command;
  } kinds[] = { { "link_id:", BPF_LINK_GET_FD_BY_ID },
                { "prog_id:", BPF_PROG_GET_FD_BY_ID },
                { "map_id:", BPF_MAP_GET_FD_BY_ID } };
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);

  if (!agent_run_is_privileged ())
    return;
  for (End end = 0; end < N_ENDS; end++)
    {
      AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
      GArray *ids[G_N_ELEMENTS (kinds)];
      gint64 deadline;

      agent_run_start (run, &start);
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        {
          ids[i] = list_ids (run->pid, kinds[i].key);
          g_assert_cmpuint (ids[i]->len, >=, 7);
          g_assert_cmpuint (count_alive (ids[i], kinds[i].command), ==, ids[i]->len);
        }
      end_run (run, end);
      agent_run_free (run);
      /* The kernel frees them some time after the files are closed. */
      deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        {
          while (count_alive (ids[i], kinds[i].command) > 0 && g_get_monotonic_time () < deadline)
            g_usleep (1000);
          g_assert_cmpuint (count_alive (ids[i], kinds[i].command), ==, 0);
          g_array_unref (ids[i]);
        }
    }
}

/* Creates a control group with a child group in it. Returns NULL if that is not permitted. */
static char *
make_group (pid_t pid)
{
  static const char *const places[] = { "/sys/fs/cgroup/unified", "/sys/fs/cgroup" };
  g_autofree char *number = g_strdup_printf ("%d", pid);

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *controllers = g_build_filename (places[i], "cgroup.controllers", NULL);
      g_autofree char *name = g_strdup_printf ("%s/tailback-test-%d", places[i], getpid ());
      g_autofree char *members = g_build_filename (name, "cgroup.procs", NULL);
      int file;

      if (!g_file_test (controllers, G_FILE_TEST_EXISTS) || g_mkdir (name, 0700) != 0)
        continue;
      file = open (members, O_WRONLY | O_CLOEXEC);
      if (file >= 0 && write (file, number, strlen (number)) == (gssize) strlen (number))
        {
          close (file);
          return g_steal_pointer (&name);
        }
      if (file >= 0)
        close (file);
      g_rmdir (name);
    }
  return NULL;
}

static pid_t
fork_breeder (void)
{
  pid_t pid = fork ();

  if (pid != 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  for (;;)
    {
      if (fork () == 0)
        _exit (0);
      wait (NULL);
      usleep (2000);
    }
}

/* Records only the processes in the group and in its child groups, and threads that switch with
 * them or wake them. */
static void
test_group (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL);
  g_autofree char *group = NULL;
  guint n_forks = 0, n_switches = 0;
  struct stat status;
  AgentRun *run;
  pid_t pid;

  if (!agent_run_is_privileged ())
    return;
  pid = fork_breeder ();
  group = make_group (pid);
  if (group == NULL)
    {
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
      g_test_skip ("no control group may be made here");
      return;
    }
  g_assert_cmpint (stat (group, &status), ==, 0);
  start.start.cgroup = status.st_ino;
  start.start.sources = 1u << TB_CAPTURE_SOURCE_SCHEDULER | 1u << TB_CAPTURE_SOURCE_TASKS;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  agent_run_await_sleeps (pid, 20);
  agent_run_stop (run);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  agent_run_check (run);
  g_hash_table_add (members, GINT_TO_POINTER (pid));
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_TASK)
      g_hash_table_add (members, GINT_TO_POINTER (record->task.tid));
    if (record->type == TB_CAPTURE_FORK)
      {
        g_assert_true (g_hash_table_contains (members, GINT_TO_POINTER (record->fork.pid)));
        g_hash_table_add (members, GINT_TO_POINTER (record->fork.new_tid));
        n_forks++;
      }
  }
  g_assert_cmpuint (n_forks, >, 0);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_EXIT)
      g_assert_true (g_hash_table_contains (members, GINT_TO_POINTER (record->exit.tid)));
    if (record->type == TB_CAPTURE_WAKEUP)
      g_assert_true (g_hash_table_contains (members, GINT_TO_POINTER (record->wakeup.tid))
                     || g_hash_table_contains (members, GINT_TO_POINTER (record->wakeup.wakee)));
    if (record->type == TB_CAPTURE_SWITCH)
      n_switches += g_hash_table_contains (members, GINT_TO_POINTER (record->sched_switch.tid));
  }
  g_assert_cmpuint (n_switches, >, 0);
  agent_run_free (run);
  /* The kernel releases the group some time after its last process has ended. */
  for (guint i = 0; i < 5000 && g_rmdir (group) != 0; i++)
    g_usleep (1000);
}

/* A control group that does not exist. */
static void
test_no_group (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  start.start.cgroup = G_MAXUINT64;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_send (run, &start);
  agent_run_assert_code (run, agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED),
                         TB_CAPTURE_CODE_NO_SUCH_CGROUP, "18446744073709551615");
  agent_run_finish (run);
  agent_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent-bpf-life/no-types", test_no_types);
  g_test_add_func ("/agent-bpf-life/no-capability", test_no_capability);
  g_test_add_func ("/agent-bpf-life/refused", test_refused);
  g_test_add_func ("/agent-bpf-life/no-bpf", test_no_bpf);
  g_test_add_func ("/agent-bpf-life/many-threads", test_many_threads);
  g_test_add_func ("/agent-bpf-life/target-ends", test_target_ends);
  g_test_add_func ("/agent-bpf-life/group", test_group);
  g_test_add_func ("/agent-bpf-life/no-group", test_no_group);
  g_test_add_func ("/agent-bpf-life/detached", test_detached);
  return g_test_run ();
}
