/* tb-annotations-events.c: translation of recorded marks into events (spinning, work, phases, lock
 * creation and allocation); at the end, warnings about refused, invalid, unpaired or too many
 * marks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "tb-annotations-private.h"

static guint32
intern_lock (TbAnnotations *self, guint64 address)
{
  char text[24];

  if (address == 0)
    return TB_STRING_NONE;
  g_snprintf (text, sizeof text, "0x%" G_GINT64_MODIFIER "x", address);
  return tb_recorder_intern_string (self->recorder, text, -1);
}

static void
fill_note (TbAnnotations *self, TbEvent *event, const char *name, guint32 value)
{
  event->kind = TB_EVENT_MARK;
  event->text = tb_recorder_intern_string (self->recorder, name, -1);
  event->text2 = value;
}

static void
fill_work (TbAnnotations *self, const TbCaptureMark *mark, const char *text, TbEvent *event)
{
  char name[TB_CAPTURE_MARK_TEXT + 8], count[24];

  g_snprintf (name, sizeof name, *text != '\0' ? "work:%s" : "work", text);
  g_snprintf (count, sizeof count, "%" G_GUINT64_FORMAT, mark->args[1]);
  fill_note (self, event, name,
             mark->args[1] == 1 ? TB_STRING_NONE
                                : tb_recorder_intern_string (self->recorder, count, -1));
}

/* At a function's return the lock is the argument of its entry. It must not be taken from the
 * record of the entry: CPUs are read one after the other, so that record may come later. */
static guint32
find_lock (TbAnnotations *self, const TbCaptureMark *mark, const TbAnnotationsMark *known)
{
  if (known->function != NULL && known->action == TB_ANNOTATIONS_SPIN_END
      && mark->args[TB_CAPTURE_MARK_PAIR] == 0)
    self->n_unpaired++;
  return intern_lock (self, mark->args[0]);
}

/* A lock is stored as start address and size, because threads may wait for any word of it. */
static void
fill_lock (TbAnnotations *self, TbEvent *event, const char *name, guint64 address, guint32 size)
{
  char text[40];

  g_snprintf (text, sizeof text, "0x%" G_GINT64_MODIFIER "x+%u", address, size);
  fill_note (self, event, name, tb_recorder_intern_string (self->recorder, text, -1));
}

/* Stores the awaited word, the start of the memory that contains it, and the age of the allocation
 * in ns. */
static void
fill_allocation (TbAnnotations *self, TbEvent *event, const TbCaptureMark *mark)
{
  char text[72];

  g_snprintf (text, sizeof text,
              "0x%" G_GINT64_MODIFIER "x@0x%" G_GINT64_MODIFIER "x-%" G_GUINT64_FORMAT,
              mark->args[0], mark->args[1], mark->args[2]);
  fill_note (self, event, "lock_allocated", tb_recorder_intern_string (self->recorder, text, -1));
}

gboolean
tb_annotations_fill (TbAnnotations *self,
                     const TbCaptureMark *mark,
                     const char *text,
                     TbEvent *event)
{
  guint32 number = mark->probe - TB_ANNOTATIONS_FIRST_ID;
  TbAnnotationsMark known = { TB_ANNOTATIONS_N_ACTIONS, NULL, 0, TB_ANNOTATIONS_REQUESTED };

  g_mutex_lock (&self->lock);
  if (mark->probe >= TB_ANNOTATIONS_FIRST_ID && number < self->marks->len)
    known = g_array_index (self->marks, TbAnnotationsMark, number);
  g_mutex_unlock (&self->lock);
  if (known.function != NULL
      && (known.action == TB_ANNOTATIONS_PHASE_BEGIN || known.action == TB_ANNOTATIONS_PHASE_END))
    text = known.function;
  switch ((TbAnnotationsAction) known.action)
    {
    case TB_ANNOTATIONS_SPIN_BEGIN:
      event->kind = TB_EVENT_SPIN_BEGIN;
      event->text2 = find_lock (self, mark, &known);
      break;
    case TB_ANNOTATIONS_SPIN_END:
      event->kind = TB_EVENT_SPIN_END;
      event->a = G_MAXUINT64;
      event->text2 = find_lock (self, mark, &known);
      break;
    case TB_ANNOTATIONS_RELEASE:
      fill_note (self, event, "release", find_lock (self, mark, &known));
      break;
    case TB_ANNOTATIONS_FALSE_WAKEUP:
      event->kind = TB_EVENT_FALSE_WAKEUP;
      break;
    case TB_ANNOTATIONS_WORK_DONE:
      fill_work (self, mark, text, event);
      break;
    case TB_ANNOTATIONS_PHASE_BEGIN:
    case TB_ANNOTATIONS_PHASE_END:
      fill_note (self, event,
                 known.action == TB_ANNOTATIONS_PHASE_BEGIN ? "phase_begin" : "phase_end",
                 tb_recorder_intern_string (self->recorder, text, -1));
      break;
    case TB_ANNOTATIONS_LOCK_CREATED:
      fill_lock (self, event, "lock_created", mark->args[0], known.size);
      break;
    case TB_ANNOTATIONS_LOCK_DESTROYED:
      fill_lock (self, event, "lock_destroyed", mark->args[0], known.size);
      break;
    case TB_ANNOTATIONS_LOCK_ALLOCATED:
      /* A function that resizes frees the old block. */
      if (mark->args[1] == 0)
        fill_note (self, event, "lock_freed", intern_lock (self, mark->args[0]));
      else
        fill_allocation (self, event, mark);
      break;
    case TB_ANNOTATIONS_LOCK_FREED:
      fill_note (self, event, "lock_freed", intern_lock (self, mark->args[0]));
      break;
    case TB_ANNOTATIONS_N_ACTIONS:
    default:
      return FALSE;
    }
  event->tid = mark->tid;
  event->pid = mark->pid;
  return TRUE;
}

static void
warn_of_refusals (TbAnnotations *self)
{
  const guint *n = self->n_refused;
  const char *why[TB_ANNOTATIONS_N_ORIGINS];

  for (guint i = 0; i < TB_ANNOTATIONS_N_ORIGINS; i++)
    why[i] = self->refusal[i] != NULL ? self->refusal[i] : "?";
  if (n[TB_ANNOTATIONS_REQUESTED] > 0)
    tb_recorder_add_warning (self->recorder,
                             ngettext ("%'u mark of programs was not recorded: %s",
                                       "%'u marks of programs were not recorded: %s",
                                       n[TB_ANNOTATIONS_REQUESTED]),
                             n[TB_ANNOTATIONS_REQUESTED], why[TB_ANNOTATIONS_REQUESTED]);
  if (n[TB_ANNOTATIONS_INTERNAL] > 0)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("Where locks are made was not recorded in %'u function of libraries, so that "
                  "locks are named by the functions that wait for them: %s",
                  "Where locks are made was not recorded in %'u functions of libraries, so that "
                  "locks are named by the functions that wait for them: %s",
                  n[TB_ANNOTATIONS_INTERNAL]),
        n[TB_ANNOTATIONS_INTERNAL], why[TB_ANNOTATIONS_INTERNAL]);
  if (n[TB_ANNOTATIONS_MEMORY] > 0)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("Where locks are allocated was not recorded in %'u function of libraries, so "
                  "that locks in memory from there are named by the functions that wait for them: "
                  "%s",
                  "Where locks are allocated was not recorded in %'u functions of libraries, so "
                  "that locks in memory from there are named by the functions that wait for them: "
                  "%s",
                  n[TB_ANNOTATIONS_MEMORY]),
        n[TB_ANNOTATIONS_MEMORY], why[TB_ANNOTATIONS_MEMORY]);
}

void
tb_annotations_finish (TbAnnotations *self)
{
  g_mutex_lock (&self->lock);
  if (self->found_any && !self->can_probe)
    tb_recorder_add_warning (
        self->recorder, "%s",
        _ ("Programs with marks ran, which perf cannot record: spinning counts as running, "
           "and work is not counted. Record with BPF programs."));
  warn_of_refusals (self);
  if (self->n_invalid > 0)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("%'u mark of programs is invalid and was not recorded: it was compiled with "
                  "another tailback-annotate.h, or its arguments cannot be read.",
                  "%'u marks of programs are invalid and were not recorded: they were compiled "
                  "with another tailback-annotate.h, or their arguments cannot be read.",
                  self->n_invalid),
        self->n_invalid);
  if (self->n_unpaired > 0)
    tb_recorder_add_warning (self->recorder,
                             ngettext ("%'u time a thread stopped spinning in a function with an "
                                       "unknown lock: which thread released the lock is not known.",
                                       "%'u times a thread stopped spinning in a function with an "
                                       "unknown lock: which thread released the lock is not known.",
                                       self->n_unpaired),
                             self->n_unpaired);
  if (self->is_full)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("Programs have more than %'u place with marks: the last of them are not "
                  "recorded. Record fewer programs.",
                  "Programs have more than %'u places with marks: the last of them are not "
                  "recorded. Record fewer programs.",
                  TB_ANNOTATIONS_MARKS_MAX),
        TB_ANNOTATIONS_MARKS_MAX);
  g_mutex_unlock (&self->lock);
}
