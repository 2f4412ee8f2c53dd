/* tb-annotations.c: marks compiled into programs, and calls of functions (also of locks) that act
 * as marks: search in mapped files by a thread, request to the agent, its answers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mark is a location in a file. It is requested from the agent once per file, for all processes
 * that map the file now or later. The agent requires a process that has mapped the file, which can
 * be the client itself.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tb-host-agent.h"
#include "base/tb-sandbox.h"
#include "symbols/tb-static-probes.h"
#include "agent-client/client/tb-agent-status.h"
#include "tb-annotations-private.h"

#define PROVIDER "tailback"
/* Size of locks of unknown size: one cache line at most */
#define LOCK_SIZE 64u
#define MAX_BUILD_ID 64
#define PREPARE_WAIT_US (5 * G_USEC_PER_SEC)
#define STEP_WAIT_US (G_USEC_PER_SEC / 20)

static const struct
{
  const char *name;
  guint n_operands;
  gboolean has_text; /* the first operand is a text */
  gboolean has_stack;
} actions[TB_ANNOTATIONS_N_ACTIONS] = {
  [TB_ANNOTATIONS_SPIN_BEGIN] = { "spin_begin", 1, FALSE, TRUE },
  [TB_ANNOTATIONS_SPIN_END] = { "spin_end", 1, FALSE, FALSE },
  [TB_ANNOTATIONS_RELEASE] = { "release", 1, FALSE, FALSE },
  [TB_ANNOTATIONS_FALSE_WAKEUP] = { "false_wakeup", 0, FALSE, FALSE },
  [TB_ANNOTATIONS_WORK_DONE] = { "work_done", 2, TRUE, FALSE },
  [TB_ANNOTATIONS_PHASE_BEGIN] = { "phase_begin", 1, TRUE, FALSE },
  [TB_ANNOTATIONS_PHASE_END] = { "phase_end", 1, TRUE, FALSE },
  [TB_ANNOTATIONS_LOCK_CREATED] = { "lock_created", 1, FALSE, TRUE },
  [TB_ANNOTATIONS_LOCK_DESTROYED] = { "lock_destroyed", 1, FALSE, FALSE },
  /* No program contains these; the agent emits them. */
  [TB_ANNOTATIONS_LOCK_ALLOCATED] = { "", G_MAXUINT, FALSE, TRUE },
  [TB_ANNOTATIONS_LOCK_FREED] = { "", G_MAXUINT, FALSE, FALSE },
};

typedef enum
{
  MODULE_UNKNOWN,
  MODULE_SEARCHED,
  MODULE_HAS_NO_MARKS,
} ModuleState;

/* A file to be searched; path NULL: end of the queue */
typedef struct
{
  char *path;
  guint32 module; /* G_MAXUINT32: none */
  gint32 pid;     /* 0: none */
  gsize build_id_length;
  guint8 build_id[MAX_BUILD_ID];
} Job;

typedef struct
{
  guint64 device;
  guint64 inode;
  gint32 pid; /* 0: all */
} FileKey;

typedef struct
{
  void *start;
  gsize length;
} Mapped;

static void
free_job (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  g_free (job);
}

static guint
hash_file (gconstpointer data)
{
  const FileKey *key = data;

  return (guint) (key->inode ^ key->inode >> 32 ^ key->device * 31)
         ^ (guint) key->pid * 0x9e3779b9u;
}

static gboolean
files_are_equal (gconstpointer a, gconstpointer b)
{
  const FileKey *x = a, *y = b;

  return x->device == y->device && x->inode == y->inode && x->pid == y->pid;
}

/* Requests */

static guint
get_size_code (guint8 size)
{
  return size == 8 ? 3 : size == 4 ? 2 : size == 2 ? 1 : 0;
}

gboolean
tb_annotations_fill_operand (const TbProbeOperand *operand, guint32 *code, guint64 *value)
{
  guint kind;

  switch (operand->kind)
    {
    case TB_PROBE_OPERAND_CONSTANT:
      kind = TB_CAPTURE_OPERAND_CONSTANT;
      break;
    case TB_PROBE_OPERAND_REGISTER:
      kind = TB_CAPTURE_OPERAND_REGISTER;
      break;
    case TB_PROBE_OPERAND_MEMORY:
      kind = TB_CAPTURE_OPERAND_MEMORY;
      break;
    default:
      return FALSE;
    }
  *code = TB_CAPTURE_OPERAND (kind, get_size_code (operand->size), operand->is_signed,
                              operand->shift, operand->base, operand->index);
  *value = (guint64) operand->value;
  return TRUE;
}

G_STATIC_ASSERT (TB_PROBE_REGISTER_IP == TB_CAPTURE_REGISTER_IP);
G_STATIC_ASSERT (TB_PROBE_REGISTER_NONE == TB_CAPTURE_REGISTER_NONE);

static gboolean
find_action (const TbStaticProbe *probe, TbAnnotationsAction *action)
{
  for (*action = 0; *action < TB_ANNOTATIONS_N_ACTIONS; ++*action)
    if (strcmp (actions[*action].name, probe->name) == 0)
      return probe->n_operands >= actions[*action].n_operands;
  return FALSE;
}

guint32
tb_annotations_take_number (TbAnnotations *self, const TbAnnotationsMark *mark)
{
  guint32 id = 0;

  g_mutex_lock (&self->lock);
  if (self->marks->len >= TB_ANNOTATIONS_MARKS_MAX)
    self->is_full = TRUE;
  else if (!self->is_closing)
    {
      id = TB_ANNOTATIONS_FIRST_ID + self->marks->len;
      g_array_append_val (self->marks, *mark);
    }
  g_mutex_unlock (&self->lock);
  return id;
}

static guint32
take_id (TbAnnotations *self, TbAnnotationsAction action, const char *function)
{
  return tb_annotations_take_number (self,
                                     &(TbAnnotationsMark) { (guint8) action, function, LOCK_SIZE,
                                                            TB_ANNOTATIONS_REQUESTED });
}

static void
note_invalid (TbAnnotations *self)
{
  g_mutex_lock (&self->lock);
  self->n_invalid++;
  g_mutex_unlock (&self->lock);
}

/* Counts a mark that will not be answered. */
static void
skip_answer (TbAnnotations *self)
{
  g_mutex_lock (&self->lock);
  self->n_answered++;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
add_mark (TbAnnotations *self,
          const Job *job,
          const TbStaticProbe *probe,
          const FileKey *file,
          gint32 pid)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_MARK_ADD,
                             .cpu = TB_CAPTURE_CPU_NONE,
                             .tail = job->build_id,
                             .tail_length = job->build_id_length };
  TbAnnotationsAction action;

  if (!find_action (probe, &action))
    {
      note_invalid (self);
      return;
    }
  for (guint i = 0; i < actions[action].n_operands; i++)
    if (!tb_annotations_fill_operand (&probe->operands[i], &record.mark_add.operands[i],
                                      &record.mark_add.values[i]))
      {
        note_invalid (self);
        return;
      }
  record.mark_add.device = file->device;
  record.mark_add.inode = file->inode;
  record.mark_add.offset = probe->offset;
  record.mark_add.semaphore = probe->semaphore;
  record.mark_add.pid = pid;
  record.mark_add.text = actions[action].has_text;
  record.mark_add.stack = actions[action].has_stack;
  record.mark_add.id = take_id (self, action, NULL);
  if (record.mark_add.id != 0 && !tb_agent_process_send (self->process, &record, NULL))
    skip_answer (self);
}

/* Functions */

/* Actions at a function's entry and return; TB_ANNOTATIONS_N_ACTIONS: none */
static const struct
{
  TbAnnotationsAction entry;
  TbAnnotationsAction exit;
} function_actions[TB_N_FUNCTION_MEANINGS] = {
  [TB_FUNCTION_SPINS] = { TB_ANNOTATIONS_SPIN_BEGIN, TB_ANNOTATIONS_SPIN_END },
  [TB_FUNCTION_RELEASES] = { TB_ANNOTATIONS_RELEASE, TB_ANNOTATIONS_N_ACTIONS },
  [TB_FUNCTION_WORKS] = { TB_ANNOTATIONS_N_ACTIONS, TB_ANNOTATIONS_WORK_DONE },
  [TB_FUNCTION_FALSE_WAKEUPS] = { TB_ANNOTATIONS_FALSE_WAKEUP, TB_ANNOTATIONS_N_ACTIONS },
  [TB_FUNCTION_PHASES] = { TB_ANNOTATIONS_PHASE_BEGIN, TB_ANNOTATIONS_PHASE_END },
  [TB_FUNCTION_CREATES] = { TB_ANNOTATIONS_LOCK_CREATED, TB_ANNOTATIONS_N_ACTIONS },
};

/* Register numbers of DWARF */
#if defined __aarch64__
#  define FIRST_ARGUMENT 0
#else
#  define FIRST_ARGUMENT 5
#endif

/* entry: also the location of the return probe, which is set up at the entry */
static gboolean
add_function_mark (TbAnnotations *self,
                   const TbMarkedFunction *marked,
                   guint64 entry,
                   TbAnnotationsAction action,
                   gboolean returns,
                   guint32 pair,
                   GError **error)
{
  const TbAgentFunction *function = marked->function;
  TbCaptureRecord record = { .type = TB_CAPTURE_MARK_ADD,
                             .cpu = TB_CAPTURE_CPU_NONE,
                             .tail = function->build_id,
                             .tail_length = (guint32) function->build_id_length };

  if (action == TB_ANNOTATIONS_N_ACTIONS)
    return TRUE;
  for (guint i = 0; i < TB_CAPTURE_MARK_ARGS; i++)
    record.mark_add.operands[i]
        = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_CONSTANT, 3, 0, 0, TB_CAPTURE_REGISTER_NONE,
                              TB_CAPTURE_REGISTER_NONE);
  if (action == TB_ANNOTATIONS_WORK_DONE)
    record.mark_add.values[1] = 1;
  if (pair != 0)
    record.mark_add.values[TB_CAPTURE_MARK_PAIR] = pair;
  if (!returns
      && (action == TB_ANNOTATIONS_SPIN_BEGIN || action == TB_ANNOTATIONS_RELEASE
          || action == TB_ANNOTATIONS_LOCK_CREATED))
    record.mark_add.operands[0] = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0,
                                                      FIRST_ARGUMENT, TB_CAPTURE_REGISTER_NONE);
  record.mark_add.device = function->probe.device;
  record.mark_add.inode = function->probe.inode;
  record.mark_add.offset = entry;
  record.mark_add.pid = function->probe.pid;
  record.mark_add.stack
      = (guint16) ((actions[action].has_stack ? TB_CAPTURE_MARK_WITH_STACK : 0)
                   | (returns ? TB_CAPTURE_MARK_AT_RETURN : TB_CAPTURE_MARK_AT_ENTRY)
                   | (pair != 0 ? TB_CAPTURE_MARK_PAIRED : 0));
  record.mark_add.id = take_id (self, action, marked->name);
  if (record.mark_add.id != 0)
    return tb_agent_process_send (self->process, &record, error);
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
               _ ("mark: there are more than %u marks"), TB_ANNOTATIONS_MARKS_MAX);
  return FALSE;
}

/* Waits until all marks requested so far are answered. A function is of no use if one of its marks
 * is refused. */
static gboolean
wait_for_functions (TbAnnotations *self, guint n_refused, GCancellable *cancellable, GError **error)
{
  gint64 deadline = g_get_monotonic_time () + PREPARE_WAIT_US;
  gboolean good = TRUE;

  g_mutex_lock (&self->lock);
  while (self->n_answered < self->marks->len && g_get_monotonic_time () < deadline
         && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + STEP_WAIT_US);
  if (self->n_refused[TB_ANNOTATIONS_REQUESTED] > n_refused)
    {
      const char *refusal = self->refusal[TB_ANNOTATIONS_REQUESTED];

      good = FALSE;
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                   _ ("mark: cannot probe a function: %s"), refusal != NULL ? refusal : "?");
    }
  g_mutex_unlock (&self->lock);
  return good && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

gboolean
tb_annotations_add_functions (TbAnnotations *self,
                              const TbMarkedFunctions *marked,
                              GCancellable *cancellable,
                              GError **error)
{
  guint n_refused;

  g_mutex_lock (&self->lock);
  n_refused = self->n_refused[TB_ANNOTATIONS_REQUESTED];
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < marked->marked->len; i++)
    {
      const TbMarkedFunction *function = &g_array_index (marked->marked, TbMarkedFunction, i);
      guint32 pair = function->meaning == TB_FUNCTION_SPINS ? i + 1 : 0;
      guint64 entry = tb_agent_function_find_entry (function->function);

      if (!add_function_mark (self, function, entry, function_actions[function->meaning].entry,
                              FALSE, pair, error)
          || !add_function_mark (self, function, entry, function_actions[function->meaning].exit,
                                 TRUE, pair, error))
        return FALSE;
    }
  return wait_for_functions (self, n_refused, cancellable, error);
}

/* Locks */

void
tb_annotations_wait (TbAnnotations *self, GCancellable *cancellable)
{
  gint64 deadline = g_get_monotonic_time () + PREPARE_WAIT_US;

  g_mutex_lock (&self->lock);
  while (self->n_answered < self->marks->len && g_get_monotonic_time () < deadline
         && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + STEP_WAIT_US);
  g_mutex_unlock (&self->lock);
}

static gboolean
add_lock_function (TbAnnotations *self, const TbLockFunction *lock, gboolean with_next)
{
  const TbAgentFunction *function = lock->function;
  TbAnnotationsAction action
      = lock->destroys ? TB_ANNOTATIONS_LOCK_DESTROYED : TB_ANNOTATIONS_LOCK_CREATED;
  const TbAnnotationsMark mark = { (guint8) action, NULL, lock->size, TB_ANNOTATIONS_INTERNAL };
  TbCaptureRecord record = { .type = TB_CAPTURE_MARK_ADD,
                             .cpu = TB_CAPTURE_CPU_NONE,
                             .tail = function->build_id,
                             .tail_length = (guint32) function->build_id_length };

  for (guint i = 0; i < TB_CAPTURE_MARK_ARGS; i++)
    record.mark_add.operands[i]
        = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_CONSTANT, 3, 0, 0, TB_CAPTURE_REGISTER_NONE,
                              TB_CAPTURE_REGISTER_NONE);
  record.mark_add.operands[0] = TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0,
                                                    FIRST_ARGUMENT, TB_CAPTURE_REGISTER_NONE);
  record.mark_add.device = function->probe.device;
  record.mark_add.inode = function->probe.inode;
  record.mark_add.offset = function->probe.offset;
  record.mark_add.pid = function->probe.pid;
  record.mark_add.stack
      = (guint16) (TB_CAPTURE_MARK_AT_ENTRY | (lock->destroys ? 0 : TB_CAPTURE_MARK_WITH_STACK)
                   | (with_next ? TB_CAPTURE_MARK_WITH_NEXT : 0));
  record.mark_add.id = tb_annotations_take_number (self, &mark);
  return record.mark_add.id != 0 && tb_agent_process_send (self->process, &record, NULL);
}

void
tb_annotations_add_locks (TbAnnotations *self,
                          const TbLockFunctions *locks,
                          GCancellable *cancellable)
{
  const TbLockFunction *all = (const TbLockFunction *) (gpointer) locks->found->data;

  if (!self->can_probe || self->each_process)
    return;
  for (guint i = 0; i < locks->found->len; i++)
    {
      gboolean with_next = i + 1 < locks->found->len
                           && all[i].function->probe.device == all[i + 1].function->probe.device
                           && all[i].function->probe.inode == all[i + 1].function->probe.inode;

      if (!add_lock_function (self, &all[i], with_next))
        return;
    }
  tb_annotations_wait (self, cancellable);
}

/* Search */

/* Opens the file through the process, whose root directory may differ. */
static int
open_file (const Job *job)
{
  g_autofree char *below = g_strdup_printf ("/proc/%d/root%s", job->pid, job->path);
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  int fd;

  /* In a sandbox, neither is a file of the host. */
  if (tb_sandbox_is_active ())
    return job->pid > 0 ? tb_host_agent_open_file (job->pid, job->path, NULL) : -1;
  fd = job->pid > 0 ? open (below, flags) : -1;

  return fd >= 0 ? fd : open (job->path, flags);
}

/* Maps the file in this process, to show it to the agent; FALSE if that is not permitted. */
static gboolean
map_here (TbAnnotations *self, int fd, goffset size)
{
  Mapped mapped = { .length = (gsize) size };

  mapped.start = size > 0 ? mmap (NULL, mapped.length, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0)
                          : MAP_FAILED;
  if (mapped.start == MAP_FAILED)
    return FALSE;
  g_array_append_val (self->mapped, mapped);
  return TRUE;
}

/* Returns the new state of the module. */
static ModuleState
search_file (TbAnnotations *self, const Job *job, int fd)
{
  g_autoptr (GPtrArray) probes = NULL;
  FileKey key, *kept;
  struct stat status;
  gint32 pid = job->pid;

  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    return MODULE_HAS_NO_MARKS;
  key = (FileKey) { status.st_dev, status.st_ino, self->each_process ? job->pid : 0 };
  if (g_hash_table_contains (self->files, &key))
    return MODULE_SEARCHED;
  probes = tb_static_probes_read (fd, PROVIDER, NULL);
  if (probes == NULL || probes->len == 0)
    return MODULE_HAS_NO_MARKS;
  kept = g_memdup2 (&key, sizeof key);
  g_hash_table_add (self->files, kept);
  g_mutex_lock (&self->lock);
  self->found_any = TRUE;
  g_mutex_unlock (&self->lock);
  if (!self->can_probe)
    return MODULE_SEARCHED;
  if (!self->each_process && map_here (self, fd, status.st_size))
    pid = (gint32) getpid ();
  for (guint i = 0; i < probes->len && pid > 0; i++)
    add_mark (self, job, g_ptr_array_index (probes, i), &key, pid);
  return MODULE_SEARCHED;
}

static void
do_job (TbAnnotations *self, const Job *job)
{
  int fd = open_file (job);
  ModuleState state = MODULE_UNKNOWN; /* the next process may make the file accessible */

  if (fd >= 0)
    {
      state = search_file (self, job, fd);
      close (fd);
    }
  g_mutex_lock (&self->lock);
  if (job->module < self->modules->len)
    self->modules->data[job->module] = state;
  if (job->module == G_MAXUINT32)
    self->n_to_prepare = self->marks->len;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gpointer
run (gpointer data)
{
  TbAnnotations *self = data;
  gboolean over = FALSE;

  while (!over)
    {
      Job *job = g_async_queue_pop (self->jobs);

      g_mutex_lock (&self->lock);
      over = self->is_closing || job->path == NULL;
      g_mutex_unlock (&self->lock);
      if (!over)
        do_job (self, job);
      free_job (job);
    }
  return NULL;
}

TbAnnotations *
tb_annotations_new (TbAgentProcess *process,
                    TbAgentPrivilege privilege,
                    gboolean searches,
                    TbRecorder *recorder)
{
  TbAnnotations *self = g_new0 (TbAnnotations, 1);

  self->process = process;
  self->recorder = g_object_ref (recorder);
  self->searches = searches;
  /* The agent does not find a file that a sandbox has mapped by the PID in it. */
  self->each_process = privilege == TB_AGENT_AUTHORIZED_OWN || tb_sandbox_is_active ();
  self->can_probe = tb_agent_process_get_header (process)->backend == TB_CAPTURE_BACKEND_BPF;
  self->jobs = g_async_queue_new_full (free_job);
  self->files = g_hash_table_new_full (hash_file, files_are_equal, g_free, NULL);
  self->mapped = g_array_new (FALSE, FALSE, sizeof (Mapped));
  self->modules = g_byte_array_new ();
  self->marks = g_array_new (FALSE, FALSE, sizeof (TbAnnotationsMark));
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("annotations", run, self);
  return self;
}

void
tb_annotations_free (TbAnnotations *self)
{
  g_mutex_lock (&self->lock);
  self->is_closing = TRUE;
  g_mutex_unlock (&self->lock);
  g_async_queue_push (self->jobs, g_new0 (Job, 1));
  g_thread_join (self->thread);
  for (guint i = 0; i < self->mapped->len; i++)
    munmap (g_array_index (self->mapped, Mapped, i).start,
            g_array_index (self->mapped, Mapped, i).length);
  g_array_unref (self->mapped);
  g_async_queue_unref (self->jobs);
  g_hash_table_unref (self->files);
  g_byte_array_unref (self->modules);
  g_array_unref (self->marks);
  g_object_unref (self->recorder);
  for (guint i = 0; i < TB_ANNOTATIONS_N_ORIGINS; i++)
    g_free (self->refusal[i]);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

void
tb_annotations_prepare (TbAnnotations *self, const char *program, GCancellable *cancellable)
{
  gint64 deadline = g_get_monotonic_time () + PREPARE_WAIT_US;
  Job *job;

  if (!self->searches || self->each_process || program == NULL)
    return;
  job = g_new0 (Job, 1);
  job->path = g_canonicalize_filename (program, NULL);
  job->module = G_MAXUINT32;
  g_mutex_lock (&self->lock);
  self->n_to_prepare = G_MAXUINT;
  g_async_queue_push_front (self->jobs, job);
  while (self->n_answered < self->n_to_prepare && g_get_monotonic_time () < deadline
         && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + STEP_WAIT_US);
  g_mutex_unlock (&self->lock);
}

void
tb_annotations_note_mapping (TbAnnotations *self,
                             guint32 module,
                             const char *path,
                             const guint8 *build_id,
                             gsize build_id_length,
                             gint32 pid)
{
  static const guint8 unknown = MODULE_UNKNOWN;
  gboolean seek;
  Job *job;

  if (!self->searches || path[0] != '/')
    return;
  g_mutex_lock (&self->lock);
  while (self->modules->len <= module)
    g_byte_array_append (self->modules, &unknown, 1);
  seek = self->modules->data[module] != MODULE_HAS_NO_MARKS && !self->is_closing;
  if (seek)
    self->modules->data[module] = MODULE_SEARCHED;
  g_mutex_unlock (&self->lock);
  if (!seek)
    return;
  job = g_new0 (Job, 1);
  job->path = g_strdup (path);
  job->module = module;
  job->pid = pid;
  job->build_id_length = MIN (build_id_length, MAX_BUILD_ID);
  memcpy (job->build_id, build_id, job->build_id_length);
  g_async_queue_push (self->jobs, job);
}

/* Evaluation */

static void
note_refusal (TbAnnotations *self, const TbCaptureRecord *record)
{
  guint32 number = record->status.id - TB_ANNOTATIONS_FIRST_ID;
  TbAnnotationsOrigin origin = g_array_index (self->marks, TbAnnotationsMark, number).origin;
  g_autofree char *cause = NULL;
  TbCaptureMessage message;

  self->n_refused[origin]++;
  if (self->refusal[origin] != NULL || record->status.code == TB_CAPTURE_CODE_NONE)
    return;
  tb_capture_message_read (&message, record);
  cause = tb_agent_message_describe (&message);
  self->refusal[origin] = g_strconcat (cause, ".", NULL);
}

gboolean
tb_annotations_take_status (TbAnnotations *self, const TbCaptureRecord *record)
{
  guint32 id = record->status.id;
  gboolean is_own;

  if (record->status.source != TB_CAPTURE_SOURCE_MARKS
      || (record->status.kind != TB_CAPTURE_STATUS_PROBED
          && record->status.kind != TB_CAPTURE_STATUS_REFUSED))
    return FALSE;
  g_mutex_lock (&self->lock);
  is_own = id >= TB_ANNOTATIONS_FIRST_ID && id - TB_ANNOTATIONS_FIRST_ID < self->marks->len;
  if (is_own)
    {
      self->n_answered++;
      if (record->status.kind == TB_CAPTURE_STATUS_REFUSED)
        note_refusal (self, record);
      g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->lock);
  return is_own;
}
