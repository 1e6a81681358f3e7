/** The test for workerd. */

import * as blockmark from 'blockmark'
import data from 'conformance.json'
import { check } from 'results.mjs'

export default {
  test() {
    console.log(check(blockmark, data.cases).join('\n'))
  },
}
