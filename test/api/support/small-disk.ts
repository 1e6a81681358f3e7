/** A small disk of its own for a process, in a namespace that goes with it. */

import { execFileSync } from 'node:child_process'

const ALONE: readonly string[] = ['unshare', '--mount', 'sh', '-c']

/** Whether this machine lets us mount. */
export const canMount: boolean = ((): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** What a program is started by, so that a folder is on such a disk for it and for nobody else. */
export function onSmallDisk(folder: string, megabytes: number): readonly string[] {
  return [...ALONE, `mount -t tmpfs -o size=${megabytes}m none ${folder} && exec "$0" "$@"`]
}
