/* tb-unwinder.c: unwinder of dumps of user stacks into code addresses, by the unwind tables of the
 * files that the caller lists as mapped by each process; statistics and a warning for the session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <elfutils/libdwfl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-supplementary-file-private.h"
#include "symbols/tb-unwind-files-private.h"
#include "symbols/tb-unwind-memo-private.h"
#include "symbols/tb-unwinder.h"

/* The kernel's numbers of the saved registers: arch/x86/include/uapi/asm/perf_regs.h,
 * arch/arm64/… */
#define X86_SP 7
#define X86_IP 8
#define ARM_SP 31
#define ARM_PC 32
#define X86_DWARF_REGISTERS 17
#define ARM_DWARF_REGISTERS 32

#define MAX_FRAMES 256
/* Limits the number of comparisons: each new mapping is compared with all others. */
#define MAX_MAPPINGS 16384

typedef struct
{
  gint32 pid;
  TbMachine machine;
  const TbMappedFile *recording; /* of the unwinder */
  GArray *mappings;              /* of TbUnwindMapping, in the order in which they were added */
  Dwfl *dwfl;                    /* NULL until the first unwinding after a change */
  TbUnwindMemo *memo;            /* cache of results */
  const TbStackDump *dump;
  guint64 *addresses;
  guint n_addresses;
  guint max_addresses;
  /* libdwfl mistakes a caller that it could not read for the end of the stack */
  gboolean read_failed;
  gboolean has_unverified; /* one of its files is unverified */
  gboolean used_unverified;
} Process;

/**
 * TbUnwinder:
 *
 * Unwinds user stacks that were recorded as dumps (perf record --call-graph dwarf), with the call
 * frame information of the mapped files. Uses elfutils' libdwfl. Not thread-safe.
 */
struct _TbUnwinder
{
  GObject parent_instance;

  TbMachine machine;
  TbMappedFile recording; /* its host, end and page size */
  GHashTable *processes;  /* pid -> Process */
  TbUnwindStatistics statistics;
};

G_DEFINE_FINAL_TYPE (TbUnwinder, tb_unwinder, G_TYPE_OBJECT)

static void
mapping_clear (gpointer data)
{
  TbUnwindMapping *mapping = data;

  g_free (mapping->path);
  g_free (mapping->build_id);
}

static Process *
process_new (const TbUnwinder *unwinder, gint32 pid)
{
  Process *process = g_new0 (Process, 1);

  process->pid = pid;
  process->machine = unwinder->machine;
  process->recording = &unwinder->recording;
  process->memo = tb_unwind_memo_new ();
  process->mappings = g_array_new (FALSE, FALSE, sizeof (TbUnwindMapping));
  g_array_set_clear_func (process->mappings, mapping_clear);
  return process;
}

static void
process_change (Process *process)
{
  g_clear_pointer (&process->dwfl, dwfl_end);
  tb_unwind_memo_clear (process->memo);
}

static void
process_free (gpointer data)
{
  Process *process = data;

  g_clear_pointer (&process->dwfl, dwfl_end);
  tb_unwind_memo_free (process->memo);
  g_array_unref (process->mappings);
  g_free (process);
}

static void
tb_unwinder_finalize (GObject *object)
{
  TbUnwinder *self = TB_UNWINDER (object);

  g_clear_pointer (&self->processes, g_hash_table_unref);

  G_OBJECT_CLASS (tb_unwinder_parent_class)->finalize (object);
}

static void
tb_unwinder_class_init (TbUnwinderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_unwinder_finalize;
}

static void
tb_unwinder_init (TbUnwinder *self)
{
  self->processes = g_hash_table_new_full (NULL, NULL, NULL, process_free);
}

/**
 * tb_unwinder_new:
 * @machine: the machine of the recording
 *
 * Creates an unwinder of recorded stacks. It has no processes at first.
 *
 * Returns: (transfer full): a new unwinder without processes
 */
TbUnwinder *
tb_unwinder_new (TbMachine machine)
{
  TbUnwinder *self = g_object_new (TB_TYPE_UNWINDER, NULL);

  self->machine = machine;
  self->recording.page_size = machine == TB_MACHINE_X86_64 ? 4096 : 0;
  return self;
}

/**
 * tb_unwinder_set_recording:
 * @self: an unwinder
 * @is_own_host: whether the stacks were recorded on this host
 * @until: end of the recording, ns of the wall clock, 0 if unknown
 *
 * Sets by what files without a build ID are recognized. Must be called before the first stack.
 */
void
tb_unwinder_set_recording (TbUnwinder *self, gboolean is_own_host, gint64 until)
{
  g_return_if_fail (TB_IS_UNWINDER (self));

  self->recording.is_own_host = is_own_host;
  self->recording.recorded_until = until;
}

static Process *
get_process (TbUnwinder *self, gint32 pid)
{
  Process *process = g_hash_table_lookup (self->processes, GINT_TO_POINTER (pid));

  if (process == NULL)
    {
      process = process_new (self, pid);
      g_hash_table_insert (self->processes, GINT_TO_POINTER (pid), process);
    }
  return process;
}

/**
 * tb_unwinder_add_mapping:
 * @self: an unwinder
 * @pid: process
 * @start: first address
 * @length: in bytes
 * @offset: offset in the file, in bytes
 * @path: path in the file system of the process
 * @build_id: (nullable): build ID in hexadecimal digits
 * @file: (nullable): device, inode and protection; without this and a build ID, frames in the
 * mapping cannot be unwound
 *
 * Adds a file mapping of a process. Mappings and stacks must be passed in order of time. More than
 * 16384 mappings of one process are ignored.
 */
void
tb_unwinder_add_mapping (TbUnwinder *self,
                         gint32 pid,
                         guint64 start,
                         guint64 length,
                         guint64 offset,
                         const char *path,
                         const char *build_id,
                         const TbModuleFile *file)
{
  TbUnwindMapping mapping = { start, length, offset, g_strdup (path), g_strdup (build_id), { 0 } };
  Process *process;

  g_return_if_fail (TB_IS_UNWINDER (self));
  g_return_if_fail (path != NULL);

  if (file != NULL)
    mapping.file = *file;
  process = get_process (self, pid);
  for (guint i = 0; i < process->mappings->len;)
    {
      const TbUnwindMapping *old = &g_array_index (process->mappings, TbUnwindMapping, i);

      if (old->start < start + length && start < old->start + old->length)
        g_array_remove_index (process->mappings, i);
      else
        i++;
    }
  if (process->mappings->len < MAX_MAPPINGS)
    g_array_append_val (process->mappings, mapping);
  else
    mapping_clear (&mapping);
  process_change (process);
}

/**
 * tb_unwinder_clear_process:
 * @self: an unwinder
 * @pid: process
 *
 * Removes the mappings of a process that ended or called exec.
 */
void
tb_unwinder_clear_process (TbUnwinder *self, gint32 pid)
{
  g_return_if_fail (TB_IS_UNWINDER (self));

  g_hash_table_remove (self->processes, GINT_TO_POINTER (pid));
}

/**
 * tb_unwinder_fork_process:
 * @self: an unwinder
 * @parent: process
 * @child: its new child, which has the same mappings
 *
 * Gives a new process the mappings of its parent; earlier ones of the process are forgotten.
 */
void
tb_unwinder_fork_process (TbUnwinder *self, gint32 parent, gint32 child)
{
  Process *from;

  g_return_if_fail (TB_IS_UNWINDER (self));

  from = g_hash_table_lookup (self->processes, GINT_TO_POINTER (parent));
  tb_unwinder_clear_process (self, child);
  for (guint i = 0; from != NULL && i < from->mappings->len; i++)
    {
      const TbUnwindMapping *mapping = &g_array_index (from->mappings, TbUnwindMapping, i);

      tb_unwinder_add_mapping (self, child, mapping->start, mapping->length, mapping->offset,
                               mapping->path, mapping->build_id, &mapping->file);
    }
}

/* Returns the value of a saved register; FALSE if it was not saved. */
static gboolean
get_register (const TbStackDump *dump, guint index, guint64 *value)
{
  guint64 below = dump->registers_mask & (((guint64) 1 << index) - 1);

  if ((dump->registers_mask & ((guint64) 1 << index)) == 0)
    return FALSE;
  *value = dump->registers[__builtin_popcountll (below)];
  return TRUE;
}

static pid_t
next_thread (Dwfl *dwfl, void *data, void **thread)
{
  Process *process = data;

  if (*thread != NULL)
    return 0;
  *thread = process;
  return process->pid;
}

static bool
set_registers (Dwfl_Thread *thread, void *data)
{
  /* DWARF number -> the kernel's number */
  static const guint8 x86_order[X86_DWARF_REGISTERS]
      = { 0, 3, 2, 1, 4, 5, 6, X86_SP, 16, 17, 18, 19, 20, 21, 22, 23, X86_IP };
  Process *process = data;
  gboolean x86 = process->machine == TB_MACHINE_X86_64;
  guint n = x86 ? X86_DWARF_REGISTERS : ARM_DWARF_REGISTERS;
  guint64 pc;

  for (guint i = 0; i < n; i++)
    {
      Dwarf_Word value;
      guint64 saved;

      if (!get_register (process->dump, x86 ? x86_order[i] : i, &saved))
        continue;
      value = saved;
      if (!dwfl_thread_state_registers (thread, (int) i, 1, &value))
        return false;
    }
  if (!get_register (process->dump, x86 ? X86_IP : ARM_PC, &pc))
    return false;
  dwfl_thread_state_register_pc (thread, pc);
  return true;
}

/* Reads a word of the dumped stack. Other memory is unknown, and unwinding ends there. */
static bool
read_memory (Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *data)
{
  Process *process = data;
  const TbStackDump *dump = process->dump;
  guint64 stack, offset;

  if (!get_register (dump, process->machine == TB_MACHINE_X86_64 ? X86_SP : ARM_SP, &stack)
      || address < stack || address - stack < dump->skipped || dump->stack_size < sizeof *result
      || address - stack - dump->skipped > dump->stack_size - sizeof *result)
    {
      process->read_failed = TRUE;
      return false;
    }
  offset = address - stack - dump->skipped;
  memcpy (result, dump->stack + offset, sizeof *result);
  tb_unwind_memo_add_read (process->memo, offset, *result);
  return true;
}

/* Notes whether the address is in a file that is unverified: its tables give the next caller. */
static void
note_file (Process *process, Dwarf_Addr address)
{
  Dwfl_Module *module = dwfl_addrmodule (process->dwfl, address);
  void **userdata;

  if (module == NULL)
    return;
  dwfl_module_info (module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
  process->used_unverified |= *userdata != NULL;
}

static int
take_frame (Dwfl_Frame *frame, void *data)
{
  Process *process = data;
  bool is_activation;
  Dwarf_Addr pc;

  if (process->n_addresses == process->max_addresses || !dwfl_frame_pc (frame, &pc, &is_activation)
      || pc == 0)
    return DWARF_CB_ABORT;
  process->addresses[process->n_addresses++] = pc;
  if (process->has_unverified && !process->used_unverified)
    note_file (process, pc - (is_activation ? 0 : 1));
  return DWARF_CB_OK;
}

static int
find_no_elf (Dwfl_Module *module,
             void **userdata,
             const char *name,
             Dwarf_Addr base,
             char **file_name,
             Elf **elf)
{
  return -1;
}

/* Finds the separate debug file, whose .debug_frame is needed where the code has no .eh_frame.
 * libdwfl's own callback would ask the servers of $DEBUGINFOD_URLS without the user's consent. */
static int
find_local_debuginfo (Dwfl_Module *module,
                      void **userdata,
                      const char *name,
                      Dwarf_Addr base,
                      const char *file_name,
                      const char *debuglink_file,
                      GElf_Word debuglink_crc,
                      char **debuginfo_file_name)
{
  const unsigned char *bits = NULL;
  GElf_Addr address;
  int length = dwfl_module_build_id (module, &bits, &address);
  g_autoptr (GString) build_id = g_string_new (NULL);
  g_autofree char *found = NULL;
  int fd;

  if (tb_supplementary_file_is_sought (debuglink_file, debuglink_crc))
    return -1;
  for (int i = 0; i < length; i++)
    g_string_append_printf (build_id, "%02x", bits[i]);
  fd = length > 0
           ? tb_elf_finder_open_debug (build_id->str, file_name, debuglink_file, 0, &found)
           : tb_elf_finder_open_debug_link (file_name, debuglink_file, debuglink_crc, 0, &found);
  if (fd >= 0)
    *debuginfo_file_name = strdup (found);
  return fd;
}

static const Dwfl_Callbacks module_callbacks = {
  .find_elf = find_no_elf,
  .find_debuginfo = find_local_debuginfo,
};

static const Dwfl_Thread_Callbacks thread_callbacks = {
  .next_thread = next_thread,
  .memory_read = read_memory,
  .set_initial_registers = set_registers,
};

/* Finds the load address of the file's address 0 from the segment in the mapping. Linkers that
 * place segments without a gap (mold, lld) let two segments share a page of the file, which both
 * mappings contain: the segment with code is used. */
static gboolean
find_load_bias (int fd, const TbUnwindMapping *mapping, guint64 *bias)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  gboolean found = FALSE, is_code = FALSE;
  size_t n = 0;

  if (elf == NULL || elf_getphdrnum (elf, &n) != 0)
    n = 0;
  for (size_t i = 0; i < n && !is_code; i++)
    {
      GElf_Phdr header;

      if (gelf_getphdr (elf, i, &header) == NULL || header.p_type != PT_LOAD
          || mapping->offset >= header.p_offset + header.p_filesz
          || header.p_offset >= mapping->offset + mapping->length)
        continue;
      is_code = (header.p_flags & PF_X) != 0;
      if (found && !is_code)
        continue;
      found = TRUE;
      *bias = mapping->start - mapping->offset + header.p_offset - header.p_vaddr;
    }
  if (elf != NULL)
    elf_end (elf);
  return found;
}

static void
report_mapping (Process *process, guint index)
{
  const TbUnwindMapping *mapping = &g_array_index (process->mappings, TbUnwindMapping, index);
  g_autofree char *found = NULL;
  Dwfl_Module *module = NULL;
  gboolean is_unverified;
  void **userdata;
  guint64 bias;
  int fd;

  if ((mapping->build_id == NULL && mapping->file.inode == 0 && mapping->file.protection == 0)
      || dwfl_addrmodule (process->dwfl, mapping->start) != NULL)
    return;
  fd = tb_unwind_files_open (process->mappings, index, process->pid, process->recording,
                             &is_unverified, &found);
  if (fd < 0)
    return;
  if (find_load_bias (fd, mapping, &bias))
    module = dwfl_report_elf (process->dwfl, mapping->path, found, fd, bias, TRUE);
  if (module == NULL)
    {
      close (fd);
      return;
    }
  dwfl_module_info (module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
  *userdata = GINT_TO_POINTER (is_unverified);
  process->has_unverified |= is_unverified;
}

static gboolean
attach (Process *process)
{
  if (process->dwfl != NULL)
    return TRUE;
  process->has_unverified = FALSE;
  process->dwfl = dwfl_begin (&module_callbacks);
  if (process->dwfl == NULL)
    return FALSE;
  dwfl_report_begin (process->dwfl);
  for (guint i = 0; i < process->mappings->len; i++)
    report_mapping (process, i);
  dwfl_report_end (process->dwfl, NULL, NULL);
  if (dwfl_attach_state (process->dwfl, NULL, process->pid, &thread_callbacks, process))
    return TRUE;
  g_clear_pointer (&process->dwfl, dwfl_end);
  return FALSE;
}

/* Unwinds with the call frame information of the files. */
static guint
walk (Process *process,
      const TbStackDump *dump,
      guint64 *addresses,
      guint max_addresses,
      gboolean *complete)
{
  int status;

  process->dump = dump;
  process->addresses = addresses;
  process->n_addresses = 0;
  process->max_addresses = max_addresses;
  process->read_failed = FALSE;
  process->used_unverified = FALSE;
  status = attach (process)
               ? dwfl_getthread_frames (process->dwfl, process->pid, take_frame, process)
               : -1;
  *complete = status == 0 && !process->read_failed;
  process->dump = NULL;
  return process->n_addresses;
}

/**
 * tb_unwinder_unwind:
 * @self: an unwinder
 * @pid: PID of the process of the stack
 * @dump: registers and stack bytes
 * @addresses: (array length=max_addresses) (out caller-allocates): the addresses, innermost first;
 *   those of callers are return addresses
 * @max_addresses: room in @addresses
 * @complete: (out) (optional): whether the outermost frame was reached
 *
 * Unwinds a recorded stack by the unwinding tables of the files that its process has mapped.
 *
 * Returns: number of addresses; 0 if not even the innermost is known
 */
guint
tb_unwinder_unwind (TbUnwinder *self,
                    gint32 pid,
                    const TbStackDump *dump,
                    guint64 *addresses,
                    guint max_addresses,
                    gboolean *complete)
{
  gint64 began = g_get_monotonic_time ();
  gboolean is_whole = FALSE;
  Process *process;
  guint n;

  g_return_val_if_fail (TB_IS_UNWINDER (self), 0);
  g_return_val_if_fail (dump != NULL && addresses != NULL, 0);

  process = get_process (self, pid);
  n = tb_unwind_memo_find (process->memo, dump, addresses, max_addresses, &is_whole,
                           &process->used_unverified);
  if (n > 0)
    self->statistics.n_repeated++;
  else
    {
      tb_unwind_memo_begin (process->memo);
      n = walk (process, dump, addresses, max_addresses, &is_whole);
      tb_unwind_memo_store (process->memo, dump, addresses, n, is_whole, process->used_unverified);
    }
  self->statistics.n_dumps++;
  self->statistics.n_bytes += dump->stack_size;
  self->statistics.n_incomplete += !is_whole;
  self->statistics.n_unverified += n > 0 && process->used_unverified;
  self->statistics.time_us += g_get_monotonic_time () - began;
  if (complete != NULL)
    *complete = is_whole;
  return n;
}

/**
 * tb_unwinder_unwind_chain:
 * @self: an unwinder
 * @pid: PID of the process of the stack
 * @dump: registers and stack bytes
 * @chain: (array length=n_chain) (nullable): the call stack from the recording, with %TB_CHAIN_USER
 * before the user part
 * @n_chain: number of addresses and markers in it
 * @joined: (array length=max_joined) (out caller-allocates): the same kernel part, then the unwound
 * user part
 * @max_joined: room in @joined
 *
 * Replaces the user part of a call stack by the result of unwinding a dump.
 *
 * Returns: number of addresses and markers in @joined; 0 if the dump adds nothing to @chain
 */
guint
tb_unwinder_unwind_chain (TbUnwinder *self,
                          gint32 pid,
                          const TbStackDump *dump,
                          const guint64 *chain,
                          guint n_chain,
                          guint64 *joined,
                          guint max_joined)
{
  guint64 addresses[MAX_FRAMES];
  gboolean complete;
  guint n_kernel = 0, n_user, n;

  g_return_val_if_fail (TB_IS_UNWINDER (self), 0);

  n = tb_unwinder_unwind (self, pid, dump, addresses, MAX_FRAMES, &complete);
  while (n_kernel < n_chain && chain[n_kernel] != TB_CHAIN_USER)
    n_kernel++;
  n_user = n_chain > n_kernel ? n_chain - n_kernel - 1 : 0;
  if (n == 0 || (!complete && n < n_user) || max_joined <= n)
    return 0;
  n_kernel = MIN (n_kernel, max_joined - n - 1);
  if (n_kernel > 0)
    memcpy (joined, chain, n_kernel * sizeof *chain);
  joined[n_kernel] = TB_CHAIN_USER;
  memcpy (joined + n_kernel + 1, addresses, n * sizeof *addresses);
  return n_kernel + 1 + n;
}

/**
 * tb_unwinder_get_statistics:
 * @self: an unwinder
 * @statistics: (out caller-allocates): the statistics so far
 *
 * Gets the statistics so far.
 */
void
tb_unwinder_get_statistics (TbUnwinder *self, TbUnwindStatistics *statistics)
{
  g_return_if_fail (TB_IS_UNWINDER (self));
  g_return_if_fail (statistics != NULL);

  *statistics = self->statistics;
}

static void
set_number (TbRecorder *recorder, const char *key, guint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  tb_recorder_set_fact (recorder, key, text);
}

/**
 * tb_unwinder_report:
 * @self: an unwinder
 * @recorder: recorder of the session that the dumps belong to
 * @n_failed: number of dumps that failed
 *
 * Adds the statistics of the dumps to the session as facts, and a warning if some stacks could not
 * be unwound to their start. The caller reports why dumps failed.
 */
void
tb_unwinder_report (TbUnwinder *self, TbRecorder *recorder, guint64 n_failed)
{
  const TbUnwindStatistics *statistics;

  g_return_if_fail (TB_IS_UNWINDER (self));
  g_return_if_fail (TB_IS_RECORDER (recorder));

  statistics = &self->statistics;
  set_number (recorder, "stack-dumps", statistics->n_dumps);
  set_number (recorder, "stack-dump-bytes", statistics->n_bytes);
  set_number (recorder, "stack-dumps-partly", statistics->n_incomplete);
  set_number (recorder, "stack-dumps-undone", n_failed);
  set_number (recorder, "stack-dumps-unverified", statistics->n_unverified);
  set_number (recorder, "stack-dump-time-us", (guint64) statistics->time_us);
  if (statistics->n_incomplete > 0)
    tb_recorder_add_warning (recorder,
                             ngettext ("%'" PRIu64 " of %'" PRIu64
                                       " dumped user stacks could not be unwound to its start.",
                                       "%'" PRIu64 " of %'" PRIu64
                                       " dumped user stacks could not be unwound to their start.",
                                       (gulong) MIN (statistics->n_incomplete, G_MAXINT)),
                             statistics->n_incomplete, statistics->n_dumps);
  if (statistics->n_unverified > 0)
    tb_recorder_add_warning (
        recorder,
        ngettext ("%'" PRIu64 " of %'" PRIu64
                  " dumped user stacks was unwound with files that were recorded without a build "
                  "ID and have their code in the same places: its callers are unverified. Record "
                  "with build IDs (perf record --buildid-all).",
                  "%'" PRIu64 " of %'" PRIu64
                  " dumped user stacks were unwound with files that were recorded without a build "
                  "ID and have their code in the same places: their callers are unverified. Record "
                  "with build IDs (perf record --buildid-all).",
                  (gulong) MIN (statistics->n_unverified, G_MAXINT)),
        statistics->n_unverified, statistics->n_dumps);
}
