/* tb-session-facts-private.h: list of hosts, processes, threads, modules, mappings, devices,
 * strings, warnings and named facts, collected and then written to a session file in the next
 * commit
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-entities.h"
#include "session/file/tb-session-file-private.h"

G_BEGIN_DECLS

/* A list of facts with copies of their strings, which another thread writes at once. */
typedef struct _TbFactList TbFactList;

TbFactList *tb_fact_list_new (void);
void tb_fact_list_free (TbFactList *self);
gboolean tb_fact_list_is_empty (TbFactList *self);

void tb_fact_list_add_host (TbFactList *self, const TbHost *host);
void tb_fact_list_add_process (TbFactList *self, const TbProcess *process);
void tb_fact_list_add_thread (TbFactList *self, const TbThread *thread);
void tb_fact_list_add_thread_name (TbFactList *self, const TbThreadName *name);
void tb_fact_list_add_module (TbFactList *self, const TbModule *module);
void tb_fact_list_add_mapping (TbFactList *self, const TbMapping *mapping);
void tb_fact_list_add_device (TbFactList *self, const TbDevice *device);
void tb_fact_list_add_string (TbFactList *self, guint32 id, const char *text);
/* A value of NULL removes the fact. */
void tb_fact_list_add_fact (TbFactList *self, const char *name, const char *value);
void tb_fact_list_add_warning (TbFactList *self, const char *text);

/* Writes the list. The caller must have begun a transaction. */
gboolean tb_fact_list_write (TbFactList *self, TbSessionFile *file, GError **error);

/* Returns the name of a module kind in the file ("file", "kernel", …); tb_module_kind_from_name()
 * returns -1 if the name is unknown. */
const char *tb_module_kind_get_name (TbModuleKind kind);
int tb_module_kind_from_name (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFactList, tb_fact_list_free)

G_END_DECLS
