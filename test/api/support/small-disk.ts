/** Gives a process its own small disk, in a namespace that ends with the process. */

import { execFileSync } from 'node:child_process'

const ALONE: readonly string[] = ['unshare', '--mount', 'sh', '-c']

/** Whether this process may mount a disk. */
export const canMount: boolean = ((): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Returns the command that starts a program with the folder on a small disk, which no other program sees. */
export function onSmallDisk(folder: string, megabytes: number): readonly string[] {
  return [...ALONE, `mount -t tmpfs -o size=${megabytes}m none ${folder} && exec "$0" "$@"`]
}
