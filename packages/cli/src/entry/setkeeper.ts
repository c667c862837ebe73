#!/usr/bin/env node
/** The program `setkeeper`. */
import manifest from '../../package.json' with { type: 'json' };
import { processWorld } from '../process-world.ts';
import { runCommandLine } from '../run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), processWorld(), manifest.version);
