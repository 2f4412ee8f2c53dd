/* tb-session-facts.c: list of hosts, processes, threads, modules, mappings, devices, strings,
 * warnings and named facts, collected and then written to a session file in the next commit
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-session-facts-private.h"

#include <string.h>

typedef struct
{
  TbStatement statement;
  union
  {
    TbHost host;
    TbProcess process;
    TbThread thread;
    TbThreadName thread_name;
    TbModule module;
    TbMapping mapping;
    TbDevice device;
    struct
    {
      guint32 id;
      const char *name;
      const char *text;
    } string;
  };
} Fact;

struct _TbFactList
{
  GArray *facts;
  GStringChunk *strings;
};

static const char *const module_kinds[] = { "file", "kernel", "jit", "named" };

const char *
tb_module_kind_get_name (TbModuleKind kind)
{
  g_assert ((guint) kind < G_N_ELEMENTS (module_kinds));
  return module_kinds[kind];
}

int
tb_module_kind_from_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (module_kinds); i++)
    if (g_str_equal (name, module_kinds[i]))
      return (int) i;
  return -1;
}

TbFactList *
tb_fact_list_new (void)
{
  TbFactList *self = g_new0 (TbFactList, 1);

  self->facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  self->strings = g_string_chunk_new (4096);
  return self;
}

void
tb_fact_list_free (TbFactList *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->facts);
  g_string_chunk_free (self->strings);
  g_free (self);
}

gboolean
tb_fact_list_is_empty (TbFactList *self)
{
  return self->facts->len == 0;
}

/* Returns a copy as UTF-8. Names come from kernels and files, which have no defined encoding. */
static const char *
copy_text (TbFactList *self, const char *text)
{
  if (text == NULL)
    return "";
  if (g_utf8_validate (text, -1, NULL))
    return g_string_chunk_insert (self->strings, text);

  g_autofree char *valid = g_utf8_make_valid (text, -1);
  return g_string_chunk_insert (self->strings, valid);
}

void
tb_fact_list_add_host (TbFactList *self, const TbHost *host)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_HOST, .host = *host };

  fact.host.name = copy_text (self, host->name);
  fact.host.kernel = copy_text (self, host->kernel);
  fact.host.machine = copy_text (self, host->machine);
  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_process (TbFactList *self, const TbProcess *process)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_PROCESS, .process = *process };

  fact.process.name = copy_text (self, process->name);
  fact.process.command = copy_text (self, process->command);
  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_thread (TbFactList *self, const TbThread *thread)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_THREAD, .thread = *thread };

  fact.thread.name = copy_text (self, thread->name);
  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_thread_name (TbFactList *self, const TbThreadName *name)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_THREAD_NAME, .thread_name = *name };

  fact.thread_name.name = copy_text (self, name->name);
  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_module (TbFactList *self, const TbModule *module)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_MODULE, .module = *module };

  fact.module.path = copy_text (self, module->path);
  fact.module.build_id = copy_text (self, module->build_id);
  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_mapping (TbFactList *self, const TbMapping *mapping)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_MAPPING, .mapping = *mapping };

  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_device (TbFactList *self, const TbDevice *device)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_DEVICE, .device = *device };

  fact.device.name = copy_text (self, device->name);
  fact.device.kind = copy_text (self, device->kind);
  fact.device.major_minor = copy_text (self, device->major_minor);
  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_string (TbFactList *self, guint32 id, const char *text)
{
  Fact fact = { .statement = TB_STATEMENT_PUT_STRING,
                .string = { .id = id, .text = copy_text (self, text) } };

  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_fact (TbFactList *self, const char *name, const char *value)
{
  Fact fact = { .statement = value != NULL ? TB_STATEMENT_PUT_FACT : TB_STATEMENT_REMOVE_FACT,
                .string = { .name = copy_text (self, name),
                            .text = value != NULL ? copy_text (self, value) : NULL } };

  g_array_append_val (self->facts, fact);
}

void
tb_fact_list_add_warning (TbFactList *self, const char *text)
{
  Fact fact
      = { .statement = TB_STATEMENT_PUT_WARNING, .string = { .text = copy_text (self, text) } };

  g_array_append_val (self->facts, fact);
}

static void
bind_text (sqlite3_stmt *statement, int at, const char *text)
{
  sqlite3_bind_text (statement, at, text, -1, SQLITE_STATIC);
}

static void
bind_id (sqlite3_stmt *statement, int at, guint32 id)
{
  if (id == TB_ID_NONE)
    sqlite3_bind_null (statement, at);
  else
    sqlite3_bind_int64 (statement, at, id);
}

static void
bind_time (sqlite3_stmt *statement, int at, gint64 time)
{
  if (time == TB_TIME_NONE)
    sqlite3_bind_null (statement, at);
  else
    sqlite3_bind_int64 (statement, at, time);
}

static void
bind_life (sqlite3_stmt *statement, int at, gint64 start, gint64 end, const char *name)
{
  bind_time (statement, at, start);
  bind_time (statement, at + 1, end);
  bind_text (statement, at + 2, name);
}

static void
bind_fact (sqlite3_stmt *statement, const Fact *fact)
{
  switch ((guint) fact->statement)
    {
    case TB_STATEMENT_PUT_FACT:
      bind_text (statement, 2, fact->string.text);
      G_GNUC_FALLTHROUGH;
    case TB_STATEMENT_REMOVE_FACT:
      bind_text (statement, 1, fact->string.name);
      break;
    case TB_STATEMENT_PUT_WARNING:
      bind_text (statement, 1, fact->string.text);
      break;
    case TB_STATEMENT_PUT_STRING:
      bind_id (statement, 1, fact->string.id);
      bind_text (statement, 2, fact->string.text);
      break;
    case TB_STATEMENT_PUT_HOST:
      bind_id (statement, 1, fact->host.id);
      bind_text (statement, 2, fact->host.name);
      bind_text (statement, 3, fact->host.kernel);
      bind_text (statement, 4, fact->host.machine);
      sqlite3_bind_int64 (statement, 5, fact->host.n_cpus);
      sqlite3_bind_int64 (statement, 6, fact->host.first_cpu);
      sqlite3_bind_int64 (statement, 7, fact->host.clock_bound_ns);
      break;
    case TB_STATEMENT_PUT_PROCESS:
      bind_id (statement, 1, fact->process.id);
      bind_id (statement, 2, fact->process.host);
      sqlite3_bind_int (statement, 3, fact->process.pid);
      bind_id (statement, 4, fact->process.parent);
      bind_life (statement, 5, fact->process.start, fact->process.end, fact->process.name);
      bind_text (statement, 8, fact->process.command);
      break;
    case TB_STATEMENT_PUT_THREAD:
      bind_id (statement, 1, fact->thread.id);
      bind_id (statement, 2, fact->thread.process);
      sqlite3_bind_int (statement, 3, fact->thread.tid);
      bind_life (statement, 4, fact->thread.start, fact->thread.end, fact->thread.name);
      break;
    case TB_STATEMENT_PUT_THREAD_NAME:
      bind_id (statement, 1, fact->thread_name.thread);
      sqlite3_bind_int64 (statement, 2, fact->thread_name.time);
      bind_text (statement, 3, fact->thread_name.name);
      break;
    case TB_STATEMENT_PUT_MODULE:
      bind_id (statement, 1, fact->module.id);
      bind_text (statement, 2, tb_module_kind_get_name (fact->module.kind));
      bind_text (statement, 3, fact->module.path);
      bind_text (statement, 4, fact->module.build_id);
      bind_id (statement, 5, fact->module.process);
      break;
    case TB_STATEMENT_PUT_MAPPING:
      bind_id (statement, 1, fact->mapping.process);
      bind_time (statement, 2, fact->mapping.time);
      sqlite3_bind_int64 (statement, 3, (gint64) fact->mapping.start);
      sqlite3_bind_int64 (statement, 4, (gint64) fact->mapping.length);
      sqlite3_bind_int64 (statement, 5, (gint64) fact->mapping.offset);
      bind_id (statement, 6, fact->mapping.module);
      break;
    case TB_STATEMENT_PUT_DEVICE:
      bind_id (statement, 1, fact->device.id);
      bind_id (statement, 2, fact->device.host);
      bind_text (statement, 3, fact->device.name);
      bind_text (statement, 4, fact->device.kind);
      bind_text (statement, 5, fact->device.major_minor);
      break;
    default:
      g_assert_not_reached ();
    }
}

gboolean
tb_fact_list_write (TbFactList *self, TbSessionFile *file, GError **error)
{
  for (guint i = 0; i < self->facts->len; i++)
    {
      const Fact *fact = &g_array_index (self->facts, Fact, i);
      sqlite3_stmt *statement = tb_session_file_prepare (file, fact->statement, error);

      if (statement == NULL)
        return FALSE;
      bind_fact (statement, fact);
      if (!tb_session_file_run (file, statement, error))
        return FALSE;
    }
  return TRUE;
}
