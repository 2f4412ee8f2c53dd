/* marks.bpf.c: BPF programs that emit the marks of programs (USDT probes and annotations), with
 * text or call stack, and with arguments, at a return those of the entry
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-common.h"

#include "tb-bpf-sources.h"

#include "tb-bpf-entry.h"
#include "tb-bpf-operand.h"

TB_BPF_SHARED_SCRATCH (stack_scratch, TbBpfMark, TB_BPF_STACK_ROOM);

typedef struct
{
  TbBpfMark mark;
  char text[TB_BPF_MARK_TEXT];
} MarkWithText;

/* By mark id */
struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, TB_BPF_MAX_PROBES);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, u32);
  __type (value, TbBpfMarkPlace);
} tb_marks SEC (".maps");

/* A call that has not returned. The stack pointer distinguishes it from nested calls of the same
 * thread. */
typedef struct
{
  u64 stack;
  u32 tid;
  u32 pair;
} CallKey;

typedef struct
{
  u64 args[TB_BPF_MARK_ARGS];
} CallArgs;

/* A function that is left by a jump never returns, so the oldest entries are evicted. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, TB_BPF_MAX_MARKED_CALLS);
  __type (key, CallKey);
  __type (value, CallArgs);
} tb_marked_calls SEC (".maps");

/* Adds the arguments of the entry to the mark at the return: the registers have changed by then,
 * and the record of the entry may be in another CPU's ring. */
static __always_inline void
pair_args (TbBpfMark *record, void *context, const TbBpfMarkPlace *mark)
{
  CallKey key = { tb_read_register (context, mark->stack_pointer), record->header.tid, mark->pair };
  CallArgs args = { { record->args[0], record->args[1], record->args[2] } }, *entered;

  if (!mark->returns)
    {
      bpf_map_update_elem (&tb_marked_calls, &key, &args, BPF_ANY);
      return;
    }
#if defined __TARGET_ARCH_x86
  key.stack -= 8; /* skips the return address */
#endif
  entered = bpf_map_lookup_elem (&tb_marked_calls, &key);
  args = entered != NULL ? *entered : (CallArgs) { 0 };
  record->args[0] = args.args[0];
  record->args[1] = args.args[1];
  record->args[2] = args.args[2];
  if (entered != NULL)
    bpf_map_delete_elem (&tb_marked_calls, &key);
}

static __always_inline void
fill_mark (TbBpfMark *record,
           void *context,
           const TbProgramContext *place,
           const TbBpfMarkPlace *mark,
           u32 probe)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();

  tb_fill (&record->header, place, TB_BPF_MARK, TB_BPF_IS_TARGET, task->pid, task->tgid);
  record->args[0] = tb_read_operand (context, &mark->operands[0]);
  record->args[1] = tb_read_operand (context, &mark->operands[1]);
  record->args[2] = tb_read_operand (context, &mark->operands[2]);
  record->probe = probe;
  record->text = TB_BPF_MARK_NO_TEXT;
  record->stack = (TbBpfStack) { 0 };
  if (mark->pair != 0)
    pair_args (record, context, mark);
}

static __always_inline int
emit_with_text (void *context, const TbProgramContext *place, const TbBpfMarkPlace *mark, u32 probe)
{
  MarkWithText *record = tb_reserve (place, sizeof *record);
  u32 which = mark->text - 1;
  u64 address;

  if (record == NULL)
    return 0;
  fill_mark (&record->mark, context, place, mark, probe);
  __builtin_memset (record->text, 0, sizeof record->text);
  address = which == 0   ? record->mark.args[0]
            : which == 1 ? record->mark.args[1]
                         : record->mark.args[2];
  if (address != 0)
    record->mark.text
        = bpf_probe_read_user_str (record->text, sizeof record->text, (const void *) address) > 0
              ? TB_BPF_MARK_HAS_TEXT
              : TB_BPF_MARK_UNREAD_TEXT;
  tb_submit (record);
  return 0;
}

static __always_inline int
emit_without_stack (void *context,
                    const TbProgramContext *place,
                    const TbBpfMarkPlace *mark,
                    u32 probe)
{
  TbBpfMark *record = tb_reserve (place, sizeof *record);

  if (record == NULL)
    return 0;
  fill_mark (record, context, place, mark, probe);
  tb_submit (record);
  return 0;
}

/* At a function's entry no frame contains its caller yet, so the caller is added from the return
 * address. */
static __always_inline u32
get_entered_stack (void *context, const TbProgramContext *place, TbBpfStack *stack, u64 *words)
{
  u64 site = tb_read_site (context), address;
  long got = tb_get_user_frames (context, place, words + 1, words + TB_BPF_MAX_WORDS);

  if (got <= 0)
    return tb_assign_stack_id (place, stack, words, 0);
  words[0] = TB_BPF_CONTEXT_USER;
  if (site == 0 || (got >= 2 && words[2] == site))
    return tb_assign_stack_id (place, stack, words, 1 + ((u32) got & 127));
  address = words[1];
  got = tb_get_user_frames (context, place, words + 2, words + TB_BPF_MAX_WORDS);
  if (got <= 0)
    return tb_assign_stack_id (place, stack, words, 0);
  words[1] = address;
  words[2] = site;
  return tb_assign_stack_id (place, stack, words, 2 + ((u32) got & 127));
}

static __always_inline int
emit_with_stack (void *context,
                 const TbProgramContext *place,
                 const TbBpfMarkPlace *mark,
                 u32 probe)
{
  struct stack_scratch_buffer *scratch = tb_scratch (&stack_scratch);
  u32 n;

  if (!tb_acquire_scratch (scratch))
    return emit_without_stack (context, place, mark, probe);
  fill_mark (&scratch->record, context, place, mark, probe);
  if ((mark->stack & TB_BPF_MARK_ENTERED) != 0)
    n = get_entered_stack (context, place, &scratch->record.stack, scratch->rest);
  else
    n = tb_get_stack (context, place, &scratch->record.stack, scratch->rest, false, true);
  if (tb_output (place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (place, &scratch->record.stack);
  tb_release_scratch (scratch);
  return 0;
}

static __always_inline int
emit_mark (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  u32 probe = (u32) bpf_get_attach_cookie (context);
  TbBpfMarkPlace *mark = bpf_map_lookup_elem (&tb_marks, &probe);
  TbProgramContext place;

  if (mark == NULL || !tb_is_target (task) || !tb_read_program_context (&place))
    return 0;
  if (mark->text != 0)
    return emit_with_text (context, &place, mark, probe);
  if (mark->stack && (config.stacks & TB_BPF_USER_STACKS) != 0)
    return emit_with_stack (context, &place, mark, probe);
  return emit_without_stack (context, &place, mark, probe);
}

SEC ("uprobe")
int
on_mark (void *context)
{
  return emit_mark (context);
}

/* Many locations of one file at once, which the kernel attaches and detaches as fast as one. */
SEC ("uprobe.multi")
int
on_marks (void *context)
{
  return emit_mark (context);
}

const char tb_license[] SEC ("license") = "GPL";
