/* tb-latency-drill.c: from the latencies of one function to what makes a peak of them slow, while it runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "extend/tb-option.h"
#include "tb-latency-drill.h"
#include "tb-perf-syscalls.h"

#define MAX_SLICES 1200
#define F0_GROUP 0
#define F0_NODE 0

TbLatencyDrill *
tb_latency_drill_new (const TbLatencyOptions *options, TbLatencySend send, gpointer data)
{
  TbLatencyDrill *self = g_new0 (TbLatencyDrill, 1);

  self->options = *options;
  self->send = send;
  self->send_data = data;
  self->call = TB_CAPTURE_NO_CALL;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  tb_peaks_bins_init (&self->bins, options->resolution);
  self->histogram = tb_peaks_histogram_new (&self->bins);
  self->slices = g_array_new (FALSE, FALSE, sizeof (TbLatencySlice));
  self->tree = tb_latency_tree_new ();
  self->functions = g_ptr_array_new ();
  self->images = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_latency_image_unref);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  g_queue_init (&self->asked);
  return self;
}

void
tb_latency_drill_free (TbLatencyDrill *self)
{
  for (guint i = 0; i < self->functions->len; i++)
    {
      TbLatencyFunction *function = g_ptr_array_index (self->functions, i);

      g_clear_pointer (&function->code, tb_latency_code_free);
      g_clear_pointer (&function->image, tb_latency_image_unref);
      g_free (function);
    }
  g_ptr_array_unref (self->functions);
  g_ptr_array_unref (self->images);
  g_ptr_array_unref (self->warnings);
  for (guint i = 0; i < self->slices->len; i++)
    g_free (g_array_index (self->slices, TbLatencySlice, i).counts);
  g_array_unref (self->slices);
  for (guint i = 0; i < G_N_ELEMENTS (self->sources); i++)
    g_free (self->sources[i].name);
  g_clear_pointer (&self->ranges, g_array_unref);
  tb_peaks_histogram_free (self->histogram);
  tb_latency_tree_free (self->tree);
  g_queue_clear (&self->asked);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self->refusal);
  g_free (self->operation);
  g_free (self);
}

static TbLatencyNode *
get_node (TbLatencyDrill *self, guint32 id)
{
  return &self->tree->nodes[id];
}

static gint64
get_time (void)
{
  return g_get_monotonic_time () * 1000;
}

/* Functions */

static TbLatencyFunction *
get_function (TbLatencyDrill *self, TbLatencyImage *image, const TbLatencySymbol *symbol)
{
  TbLatencyFunction *function;

  for (guint i = 0; i < self->functions->len; i++)
    {
      function = g_ptr_array_index (self->functions, i);
      if (function->image == image && function->symbol->address == symbol->address)
        return function;
    }
  function = g_new0 (TbLatencyFunction, 1);
  function->id = self->functions->len + 1;
  function->image = tb_latency_image_ref (image);
  function->symbol = symbol;
  g_ptr_array_add (self->functions, function);
  return function;
}

static const TbLatencyCode *
get_code (TbLatencyFunction *function)
{
  if (function->code == NULL)
    function->code = tb_latency_code_new (function->image, function->symbol);
  return function->code;
}

void
tb_latency_drill_set_function (TbLatencyDrill *self, TbLatencyImage *image, const TbLatencySymbol *symbol)
{
  TbLatencyNode *node;

  g_ptr_array_add (self->images, tb_latency_image_ref (image));
  self->operation = g_strdup_printf ("function:%s@%s", symbol->name, tb_latency_image_get_name (image));
  node = tb_latency_tree_add (self->tree, tb_latency_tree_reserve (self->tree, 1), G_MAXUINT32,
                              TB_LATENCY_FUNCTION, symbol->name);
  node->function = get_function (self, image, symbol);
}

void
tb_latency_drill_set_call (TbLatencyDrill *self, guint32 number, const char *name)
{
  TbLatencyNode *node;

  self->call = number;
  self->operation = g_strdup_printf ("syscall:%s", name);
  node = tb_latency_tree_add (self->tree, tb_latency_tree_reserve (self->tree, 1), G_MAXUINT32,
                              TB_LATENCY_SYSCALL, name);
  node->key = number;
}

static TbLatencyImage *
get_image (TbLatencyDrill *self, const char *path, guint64 device, guint64 inode)
{
  TbLatencyImage *image;

  for (guint i = 0; i < self->images->len; i++)
    {
      image = g_ptr_array_index (self->images, i);
      if (image->inode == inode && image->device == device)
        return image;
    }
  image = tb_latency_image_open (path, NULL);
  if (image != NULL)
    g_ptr_array_add (self->images, image);
  return image;
}

/* What lies at an address of a process. */
static TbLatencyFunction *
find_function_at (TbLatencyDrill *self, gint32 pid, guint64 address)
{
  g_autofree char *maps_path = g_strdup_printf ("/proc/%d/maps", pid);
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (maps_path, &maps, NULL, NULL))
    return NULL;
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      unsigned long long start, end, offset;
      const char *path = strchr (lines[i], '/');
      g_autofree char *there = NULL;
      const TbLatencySymbol *symbol;
      TbLatencyImage *image;
      struct stat status;
      guint64 in_file;

      if (path == NULL || sscanf (lines[i], "%llx-%llx %*s %llx", &start, &end, &offset) != 3
          || address < start || address >= end)
        continue;
      there = g_strdup_printf ("/proc/%d/root%s", pid, path);
      if (stat (there, &status) != 0 || !S_ISREG (status.st_mode)
          || (image = get_image (self, there, status.st_dev, status.st_ino)) == NULL
          || !tb_latency_image_get_address (image, address - start + offset, &in_file)
          || (symbol = tb_latency_image_find_at (image, in_file)) == NULL)
        return NULL;
      return get_function (self, image, symbol);
    }
  return NULL;
}

/* Sending */

static void
note_refusal (TbLatencyDrill *self, const char *text)
{
  if (self->refusal == NULL)
    self->refusal = g_strdup (text);
}

static gboolean
send (TbLatencyDrill *self, TbCaptureRecord *record, GError **error)
{
  record->cpu = TB_CAPTURE_CPU_NONE;
  return self->send (record, self->send_data, error);
}

static gboolean
send_start (TbLatencyDrill *self, GError **error)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_START };

  record.latency_start = (TbCaptureLatencyStart) { self->call, self->options.resolution };
  record.tail = (const guint8 *) self->bins.edges;
  record.tail_length = (self->bins.n + 1) * 8;
  return send (self, &record, error);
}

static TbCaptureRecord
make_probe (const TbLatencyFunction *function, guint group, TbCaptureLatencyProbeKind kind, guint64 address)
{
  const TbLatencyImage *image = function->image;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_PROBE };

  record.latency_probe = (TbCaptureLatencyProbe) { .device = image->device,
                                                   .inode = image->inode,
                                                   .group = group,
                                                   .function = function->id,
                                                   .pid = getpid (),
                                                   .kind = kind };
  tb_latency_image_get_offset (image, address, &record.latency_probe.offset);
  record.tail = image->build_id;
  record.tail_length = (guint32) image->build_id_length;
  return record;
}

static void
ask (TbLatencyDrill *self, guint32 group)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_ATTACH, .latency_group = { group } };

  if (send (self, &record, NULL))
    g_queue_push_tail (&self->asked, GUINT_TO_POINTER (group + 1));
}

static void
detach (TbLatencyDrill *self, guint32 group)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_DETACH, .latency_group = { group } };

  send (self, &record, NULL);
}

/* wanted: whether each site is, NULL all. */
static void
send_points (TbLatencyDrill *self, TbLatencyFunction *function, const guint8 *wanted)
{
  const TbLatencyCode *code = get_code (function);

  for (guint i = 0; i < code->points->len; i++)
    {
      const TbLatencyPoint *point = &g_array_index (code->points, TbLatencyPoint, i);
      TbCaptureRecord record = make_probe (function, function->id, TB_CAPTURE_LATENCY_SITE, point->address);
      gboolean is_needed = wanted == NULL;

      for (guint j = 0; j < code->sites->len && !is_needed; j++)
        is_needed
            = wanted[j]
              && (g_array_index (code->sites, TbLatencySite, j).end == point->address || point->site == j);
      if (!is_needed)
        continue;
      record.latency_probe.site = function->first_site + i;
      if (point->site != G_MAXUINT)
        {
          const TbLatencySite *site = &g_array_index (code->sites, TbLatencySite, point->site);

          record.latency_probe.index = point->site;
          record.latency_probe.operand = site->operand;
          record.latency_probe.value = site->value;
          record.latency_probe.flags
              = TB_CAPTURE_LATENCY_BEGINS | (site->is_tail ? TB_CAPTURE_LATENCY_TAIL : 0)
                | (site->target == 0 && site->operand != 0 ? TB_CAPTURE_LATENCY_INDIRECT : 0)
                | (point->height >= 0 ? TB_CAPTURE_LATENCY_HAS_HEIGHT : 0);
          record.latency_probe.height = (guint32) MAX (point->height, 0);
        }
      send (self, &record, NULL);
    }
}

static void
send_node (TbLatencyDrill *self, guint32 id, guint32 flags, guint64 target, guint32 site)
{
  TbLatencyNode *node = get_node (self, id);
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_NODE };

  record.latency_node = (TbCaptureLatencyNode) { .target = target,
                                                 .id = id,
                                                 .parent = node->parent != G_MAXUINT32 ? node->parent : 0,
                                                 .first_child = node->first_child,
                                                 .function = node->function != NULL ? node->function->id : 0,
                                                 .disturbances = node->disturbances,
                                                 .flags = flags,
                                                 .site = site };
  if ((flags & TB_CAPTURE_LATENCY_RESET) != 0)
    node->generation++;
  send (self, &record, NULL);
}

/* The tree */

static const char *
get_call_name (guint64 number)
{
  struct utsname here;
  const char *const *names;
  guint n = 0;

  names = uname (&here) == 0 ? tb_perf_syscalls_get_names (here.machine, &n) : NULL;
  return number < n ? names[number] : NULL;
}

static char *
name_site (const TbLatencyFunction *function, const TbLatencySite *site)
{
  const TbLatencySymbol *symbol
      = site->target != 0 ? tb_latency_image_find_at (function->image, site->target) : NULL;

  if (symbol != NULL)
    return g_strdup (symbol->name);
  if (site->target != 0)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", site->target);
  return g_strdup (_ ("a function that a pointer says"));
}

/* Nodes for what it calls, and for what takes the cpu from it. */
static gboolean
add_children (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);
  const TbLatencyCode *code = node->function != NULL ? get_code (node->function) : NULL;
  guint n = code != NULL ? code->sites->len : 0;
  guint32 first = tb_latency_tree_reserve (self->tree, n + TB_CAPTURE_LATENCY_DISTURBANCES);

  if (first == G_MAXUINT32)
    return FALSE;
  node->first_child = first;
  node->disturbances = first + n;
  for (guint i = 0; i < n; i++)
    {
      const TbLatencySite *site = &g_array_index (code->sites, TbLatencySite, i);
      g_autofree char *name = name_site (node->function, site);
      const TbLatencySymbol *symbol
          = site->target != 0 ? tb_latency_image_find_at (node->function->image, site->target) : NULL;
      TbLatencyNode *child
          = tb_latency_tree_add (self->tree, first + i, id,
                                 site->target != 0 ? TB_LATENCY_FUNCTION : TB_LATENCY_OTHERS, name);

      child->site = i;
      if (symbol != NULL)
        child->function = get_function (self, node->function->image, symbol);
      send_node (self, first + i, TB_CAPTURE_LATENCY_RESET, 0, 0);
    }
  for (guint i = 0; i < TB_CAPTURE_LATENCY_DISTURBANCES; i++)
    {
      TbLatencyNode *child = tb_latency_tree_add (self->tree, node->disturbances + i, id,
                                                  i == 0   ? TB_LATENCY_PREEMPTED
                                                  : i == 1 ? TB_LATENCY_RUN_QUEUE
                                                           : TB_LATENCY_INTERRUPT,
                                                  NULL);

      child->key = i;
      send_node (self, node->disturbances + i, TB_CAPTURE_LATENCY_RESET | TB_CAPTURE_LATENCY_DISTURBANCE, 0,
                 0);
    }
  return TRUE;
}

/* From now on its callees count. */
static void
start_deciding (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);

  if (!add_children (self, id))
    {
      node->is_cut = TRUE;
      node->phase = TB_LATENCY_DECIDED;
      return;
    }
  node->phase = TB_LATENCY_DECIDING;
  node->counter = (TbCaptureLatencyCounter) { 0 };
  send_node (self, id, TB_CAPTURE_LATENCY_OPEN | TB_CAPTURE_LATENCY_RESET, 0, 0);
}

static void
count_probes (TbLatencyDrill *self)
{
  guint n = 0, single = 0;

  for (guint i = 0; i < self->functions->len; i++)
    {
      const TbLatencyFunction *function = g_ptr_array_index (self->functions, i);

      for (guint j = 0; function->is_attached && j < function->code->points->len; j++)
        {
          n++;
          single += !g_array_index (function->code->points, TbLatencyPoint, j).is_cheap;
        }
    }
  if (n > self->n_probes)
    {
      self->n_probes = n;
      self->n_single_stepped = single;
    }
}

/* A node turned out to make its caller slow: looks at what it consists of. */
static void
open_node (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);
  TbLatencyFunction *function = node->function;
  const TbLatencyCode *code;

  node->phase = TB_LATENCY_DECIDED;
  if (node->kind == TB_LATENCY_SYSCALL)
    {
      start_deciding (self, id);
      return;
    }
  if (node->kind != TB_LATENCY_FUNCTION || function == NULL)
    return;
  code = get_code (function);
  if (!code->is_known || (code->sites->len == 0 && !code->has_syscall))
    return;
  if (node->depth >= self->options.max_depth || function->is_refused
      || function->id >= TB_CAPTURE_LATENCY_MAX_GROUPS
      || (!function->is_attached && self->n_sites + code->points->len > TB_CAPTURE_LATENCY_MAX_SITES))
    {
      node->is_cut = TRUE;
      return;
    }
  if (function->is_attached || code->points->len == 0)
    {
      start_deciding (self, id);
      return;
    }
  node->phase = TB_LATENCY_OPENING;
  for (guint i = 0; i < self->tree->n_nodes; i++)
    if (i != id && get_node (self, i)->function == function
        && get_node (self, i)->phase == TB_LATENCY_OPENING)
      return;
  function->first_site = self->n_sites;
  self->n_sites += code->points->len;
  send_points (self, function, NULL);
  ask (self, function->id);
}

/* Probes that lead to no root cause come out; where the stack's height does not tell calls from outside the path apart, all
 * have to stay. */
static void
narrow (TbLatencyDrill *self, TbLatencyFunction *function)
{
  const TbLatencyCode *code = get_code (function);
  g_autofree guint8 *wanted = g_new0 (guint8, code->sites->len + 1);
  guint n = 0;

  if (!function->is_attached)
    return;
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    {
      const TbLatencyNode *node = get_node (self, i);
      const TbLatencyNode *parent
          = node->is_used && node->parent != G_MAXUINT32 ? get_node (self, node->parent) : NULL;

      if (node->is_used && node->function == function
          && (node->phase == TB_LATENCY_OPENING || node->phase == TB_LATENCY_DECIDING))
        return;
      if (parent != NULL && parent->function == function && node->site != G_MAXUINT && node->is_root_cause
          && node->phase != TB_LATENCY_CLOSED)
        {
          n += !wanted[node->site];
          wanted[node->site] = 1;
        }
    }
  for (guint i = 0; i < code->points->len; i++)
    if (g_array_index (code->points, TbLatencyPoint, i).site != G_MAXUINT
        && g_array_index (code->points, TbLatencyPoint, i).height < 0)
      return;
  if (n == code->sites->len)
    return;
  if (n == 0)
    {
      function->is_attached = FALSE;
      detach (self, function->id);
      return;
    }
  send_points (self, function, wanted);
  ask (self, function->id);
}

static gboolean
is_undecided (TbLatencyDrill *self)
{
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used
        && (get_node (self, i)->phase == TB_LATENCY_OPENING
            || get_node (self, i)->phase == TB_LATENCY_DECIDING))
      return TRUE;
  return FALSE;
}

static void
finish (TbLatencyDrill *self)
{
  self->is_over = TRUE;
  self->decided_time = get_time ();
  for (guint i = 0; i < self->functions->len; i++)
    {
      TbLatencyFunction *function = g_ptr_array_index (self->functions, i);

      if (function->is_attached)
        detach (self, function->id);
      function->is_attached = FALSE;
    }
  detach (self, F0_GROUP);
}

static void
decide (TbLatencyDrill *self, guint32 id)
{
  tb_latency_tree_decide (self->tree, id, self->options.maxcount_percentage);
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == id && get_node (self, i)->is_root_cause)
      open_node (self, i);
  if (get_node (self, id)->function != NULL)
    narrow (self, get_node (self, id)->function);
}

static void
look_at_counters (TbLatencyDrill *self)
{
  guint32 n = self->tree->n_nodes;

  for (guint32 i = 0; i < n; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->phase == TB_LATENCY_DECIDING
        && get_node (self, i)->counter.calls >= self->options.decision_ops)
      decide (self, i);
  if (self->is_chosen && !self->is_over && get_node (self, F0_NODE)->phase == TB_LATENCY_DECIDED
      && !is_undecided (self))
    finish (self);
}

/* Bins */

/* As many as fit are kept: half as many for twice the time. */
static void
add_slice (TbLatencyDrill *self, gint64 time)
{
  TbLatencySlice slice = { time, g_memdup2 (self->histogram->counts, self->bins.n * sizeof (guint64)) };

  if (self->slices->len == MAX_SLICES)
    {
      for (guint i = 0; i < MAX_SLICES / 2; i++)
        {
          g_free (g_array_index (self->slices, TbLatencySlice, 2 * i).counts);
          g_array_index (self->slices, TbLatencySlice, i)
              = g_array_index (self->slices, TbLatencySlice, 2 * i + 1);
        }
      g_array_set_size (self->slices, MAX_SLICES / 2);
    }
  g_array_append_val (self->slices, slice);
}

static void
choose (TbLatencyDrill *self, TbPeakRange range)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_PEAK, .latency_peak = { range.first, range.last } };

  self->range = range;
  self->is_chosen = TRUE;
  self->chosen_time = get_time ();
  send (self, &record, NULL);
  open_node (self, F0_NODE);
  if (get_node (self, F0_NODE)->phase == TB_LATENCY_DECIDED && !get_node (self, F0_NODE)->is_cut)
    {
      /* It calls nothing: waits and disturbances remain. */
      start_deciding (self, F0_NODE);
    }
}

static void
look_for_peak (TbLatencyDrill *self)
{
  const TbLatencyOptions *options = &self->options;
  TbPeakRange drawn = { (guint) MAX (options->from_bin, 0),
                        options->to_bin >= 0 ? (guint) options->to_bin : self->bins.n - 1 };

  if (self->is_chosen || self->histogram->calls < options->start_ops)
    return;
  if (options->from_bin >= 0 || options->to_bin >= 0)
    {
      choose (self, drawn);
      return;
    }
  g_clear_pointer (&self->ranges, g_array_unref);
  self->ranges = tb_peaks_find_in_histogram (self->histogram, &self->bins);
  if (self->ranges->len == 0 || options->start_peak > self->ranges->len)
    return;
  self->peak = options->start_peak > 0 ? options->start_peak : self->ranges->len;
  choose (self, g_array_index (self->ranges, TbPeakRange, self->peak - 1));
}

static void
take_bins (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  const guint64 *words = (const guint64 *) (const void *) record->tail;

  self->histogram->calls = 0;
  self->histogram->total_ns = 0;
  for (guint32 i = 0; i + 2 < record->tail_length / 8; i += 3)
    {
      if (words[i] >= self->bins.n)
        continue;
      self->histogram->counts[words[i]] = words[i + 1];
      self->histogram->totals[words[i]] = (gint64) words[i + 2];
      self->histogram->calls += words[i + 1];
      self->histogram->total_ns += (gint64) words[i + 2];
    }
  add_slice (self, (gint64) record->time);
  look_for_peak (self);
}

/* What is told of callees */

/* What was counted before there was a node for everything that is called is of no use. */
static void
decide_anew (TbLatencyDrill *self, guint32 id)
{
  if (get_node (self, id)->phase != TB_LATENCY_DECIDING)
    return;
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    {
      TbLatencyNode *node = get_node (self, i);

      if (!node->is_used || node->parent != id)
        continue;
      node->counter = (TbCaptureLatencyCounter) { 0 };
      send_node (self, i,
                 TB_CAPTURE_LATENCY_RESET
                     | (node->kind == TB_LATENCY_PREEMPTED || node->kind == TB_LATENCY_RUN_QUEUE
                                || node->kind == TB_LATENCY_INTERRUPT
                            ? TB_CAPTURE_LATENCY_DISTURBANCE
                            : 0),
                 0, 0);
    }
  get_node (self, id)->counter = (TbCaptureLatencyCounter) { 0 };
  send_node (self, id, TB_CAPTURE_LATENCY_OPEN | TB_CAPTURE_LATENCY_RESET, 0, 0);
}

static void
take_callee (TbLatencyDrill *self, const TbCaptureLatencyCallee *callee)
{
  TbLatencyFunction *function = NULL;
  TbLatencyKind kind = TB_LATENCY_FUNCTION;
  g_autofree char *name = NULL;
  TbLatencyNode *node;
  guint32 id = G_MAXUINT32;

  if (callee->node >= self->tree->n_nodes || !get_node (self, callee->node)->is_used)
    return;
  if (callee->site == 0 && (callee->target & TB_CAPTURE_LATENCY_SYSCALL) != 0)
    {
      guint64 number = callee->target & ~TB_CAPTURE_LATENCY_SYSCALL;

      kind = TB_LATENCY_SYSCALL;
      name = get_call_name (number) != NULL ? g_strdup_printf ("syscall:%s", get_call_name (number))
                                            : g_strdup_printf ("syscall:%u", (guint) number);
    }
  else if (callee->site == 0)
    {
      kind = TB_LATENCY_WAIT;
      name = g_strdup ((callee->target & 2) != 0 ? "uninterruptible" : "interruptible");
    }
  else
    {
      function = find_function_at (self, callee->pid, callee->target);
      name = function != NULL ? g_strdup (function->symbol->name)
                              : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", callee->target);
    }
  /* The same function of another process lies elsewhere. */
  for (guint32 i = 0; function != NULL && i < self->tree->n_nodes && id == G_MAXUINT32; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == callee->node
        && get_node (self, i)->site == callee->site - 1 && get_node (self, i)->function == function)
      id = i;
  if (id == G_MAXUINT32)
    {
      id = tb_latency_tree_reserve (self->tree, 1);
      if (id == G_MAXUINT32)
        return;
      node = tb_latency_tree_add (self->tree, id, callee->node, kind, name);
      node->function = function;
      node->key = callee->target;
      node->site = callee->site > 0 ? callee->site - 1 : G_MAXUINT;
      send_node (self, id, TB_CAPTURE_LATENCY_RESET, callee->target, callee->site);
    }
  else
    send_node (self, id, get_node (self, id)->disturbances != 0 ? TB_CAPTURE_LATENCY_OPEN : 0, callee->target,
               callee->site);
  decide_anew (self, callee->node);
}

/* One that was told before its node began anew is of no use, nor what comes when its caller is decided. */
static void
take_counter (TbLatencyDrill *self, const TbCaptureLatencyCounter *counter)
{
  TbLatencyNode *node = get_node (self, MIN (counter->node, TB_CAPTURE_LATENCY_MAX_NODES - 1));
  gboolean is_counted;

  if (counter->node >= self->tree->n_nodes || !node->is_used || self->is_over
      || node->generation != counter->generation)
    return;
  is_counted = node->phase == TB_LATENCY_DECIDING
               || (node->parent != G_MAXUINT32 && node->phase == TB_LATENCY_CLOSED
                   && get_node (self, node->parent)->phase == TB_LATENCY_DECIDING);
  if (is_counted)
    node->counter = *counter;
}

static void
take_source (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  /* include/linux/interrupt.h of the kernel */
  static const char *const softirqs[]
      = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };
  const TbCaptureLatencySource *source = &record->latency_source;

  if (source->index >= G_N_ELEMENTS (self->sources))
    return;
  self->sources[source->index].kind = source->kind;
  self->sources[source->index].number = source->number;
  g_free (self->sources[source->index].name);
  self->sources[source->index].name
      = source->kind == 2 && source->number < G_N_ELEMENTS (softirqs) ? g_strdup (softirqs[source->number])
        : source->kind == 3                                           ? g_strdup ("timer")
                            : g_utf8_make_valid ((const char *) record->tail, record->tail_length);
}

/* The answer to the request to attach that was made first. */
static void
take_answer (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  gboolean refused = record->status.code == TB_CAPTURE_STATUS_REFUSED;
  g_autofree char *text = g_utf8_make_valid ((const char *) record->tail, record->tail_length);
  guint32 group = GPOINTER_TO_UINT (g_queue_pop_head (&self->asked));
  TbLatencyFunction *function;

  if (refused)
    note_refusal (self, text);
  if (group <= 1 || group - 2 >= self->functions->len)
    return;
  function = g_ptr_array_index (self->functions, group - 2);
  if (refused)
    {
      g_autofree char *warning
          = g_strdup_printf (_ ("%s cannot be looked into: %s"), function->symbol->name, text);

      g_ptr_array_add (self->warnings, g_steal_pointer (&warning));
      function->is_refused = !function->is_attached;
    }
  else
    function->is_attached = TRUE;
  count_probes (self);
  for (guint32 i = 0, n = self->tree->n_nodes; i < n; i++)
    {
      TbLatencyNode *node = get_node (self, i);

      if (!node->is_used || node->function != function || node->phase != TB_LATENCY_OPENING)
        continue;
      if (!refused)
        start_deciding (self, i);
      else
        {
          node->phase = TB_LATENCY_DECIDED;
          node->is_cut = TRUE;
        }
    }
}

gboolean
tb_latency_drill_take (TbLatencyDrill *self, const TbCaptureRecord *record)
{
  gboolean is_over;

  g_mutex_lock (&self->lock);
  switch (record->type)
    {
    case TB_CAPTURE_LATENCY_BINS:
      take_bins (self, record);
      break;
    case TB_CAPTURE_LATENCY_COUNTER:
      take_counter (self, &record->latency_counter);
      break;
    case TB_CAPTURE_LATENCY_CALLEE:
      if (!self->is_over)
        take_callee (self, &record->latency_callee);
      break;
    case TB_CAPTURE_LATENCY_SOURCE:
      take_source (self, record);
      break;
    case TB_CAPTURE_LATENCY_STATE:
      self->state = record->latency_state;
      if (!self->is_over)
        look_at_counters (self);
      break;
    default:
      take_answer (self, record);
      break;
    }
  is_over = self->is_over;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return is_over;
}

/* Beginning */

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  TbLatencyDrill *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* An answer more than so many come. */
static gboolean
wait_for_answers (TbLatencyDrill *self, GCancellable *cancellable, GError **error)
{
  gulong handler
      = cancellable != NULL ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL) : 0;
  gboolean good;

  g_mutex_lock (&self->lock);
  while (!g_queue_is_empty (&self->asked) && self->refusal == NULL
         && !g_cancellable_is_cancelled (cancellable))
    {
      gint64 soon = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

      if (!g_cond_wait_until (&self->changed, &self->lock, soon))
        note_refusal (self, _ ("the agent does not answer"));
    }
  good = self->refusal == NULL;
  if (!good)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, _ ("%s cannot be looked into: %s"),
                 self->operation, self->refusal);
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (cancellable, handler);
  return good && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static void
probe_function (TbLatencyDrill *self)
{
  const TbLatencyFunction *function = get_node (self, F0_NODE)->function;
  gboolean is_cheap;
  guint64 entry = tb_latency_code_find_entry (function->image, function->symbol, &is_cheap);
  TbCaptureRecord record = make_probe (function, F0_GROUP, TB_CAPTURE_LATENCY_ENTRY, entry);

  send (self, &record, NULL);
  if (!self->options.returns_by_instruction)
    {
      record = make_probe (function, F0_GROUP, TB_CAPTURE_LATENCY_RETURN, entry);
      send (self, &record, NULL);
    }
  else
    {
      const TbLatencyCode *code = get_code (get_node (self, F0_NODE)->function);

      for (guint i = 0; i < code->ends->len; i++)
        {
          record = make_probe (function, F0_GROUP, TB_CAPTURE_LATENCY_LAST,
                               g_array_index (code->ends, guint64, i));
          send (self, &record, NULL);
        }
    }
  ask (self, F0_GROUP);
}

gboolean
tb_latency_drill_begin (TbLatencyDrill *self, GCancellable *cancellable, GError **error)
{
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->asked, GUINT_TO_POINTER (F0_GROUP + 1));
  if (!send_start (self, error))
    {
      g_mutex_unlock (&self->lock);
      return FALSE;
    }
  if (self->call == TB_CAPTURE_NO_CALL)
    probe_function (self);
  g_mutex_unlock (&self->lock);
  return wait_for_answers (self, cancellable, error);
}

char *
tb_latency_drill_estimate (TbLatencyDrill *self)
{
  TbLatencyFunction *function = get_node (self, F0_NODE)->function;
  const TbLatencyCode *code;
  gboolean is_cheap;
  guint n_stepped = 0;

  if (function == NULL)
    return g_strdup_printf (_ ("%s is watched by the kernel's own events: well below 1 µs a call"),
                            self->operation);
  code = get_code (function);
  tb_latency_code_find_entry (function->image, function->symbol, &is_cheap);
  for (guint i = 0; i < code->points->len; i++)
    n_stepped += !g_array_index (code->points, TbLatencyPoint, i).is_cheap;
  return g_strdup_printf (
      _ ("%s: its entry is %s; it has %u call sites seen by %u probes, of which %u have to be single-stepped "
         "(ten times the cost of the others)"),
      self->operation, is_cheap ? _ ("cheap to probe") : _ ("single-stepped"), code->sites->len,
      code->points->len, n_stepped);
}
