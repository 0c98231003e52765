/* SPDX-License-Identifier: MIT */
/* tiforge/tiforge.h -- the whole library.  Each header can be included alone, too. */
#ifndef TIFORGE_TIFORGE_H
#define TIFORGE_TIFORGE_H

#include <tiforge/agent.h>
#include <tiforge/buffer.h>
#include <tiforge/capability.h>
#include <tiforge/classfile.h>
#include <tiforge/gate.h>
#include <tiforge/json.h>
#include <tiforge/log.h>
#include <tiforge/monitor.h>
#include <tiforge/naming.h>
#include <tiforge/options.h>
#include <tiforge/output.h>
#include <tiforge/ring.h>
#include <tiforge/scope.h>
#include <tiforge/worker.h>
#include <tiforge/xml.h>
#include <tiforge_names.h>

#endif
