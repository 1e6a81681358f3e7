/** Gives a process its own small disk, in a namespace that ends with the process. */

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

/** The command that starts a program with a folder on such a disk, which no other program sees. */
export function onSmallDisk(folder: string, megabytes: number): readonly string[] {
  return [...ALONE, `mount -t tmpfs -o size=${megabytes}m none ${folder} && exec "$0" "$@"`]
}
