"""What the cases share: services, recordings, expectations, tables. Started by tests/cases/run."""
# SPDX-License-Identifier: GPL-3.0-or-later
