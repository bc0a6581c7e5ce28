import { expect, test } from 'vitest'
import { diffTexts, foldDiff } from './textdiff'

const show = (lines: readonly { sign: string; text: string }[]) => lines.map((l) => `${l.sign} ${l.text}`)

test('a difference is shown with what is around it', async () => {
  const before = Array.from({ length: 20 }, (_, i) => `line ${i}`)
  const after = before.with(9, 'other')
  expect(show(await diffTexts(before.join('\n'), after.join('\n')))).toEqual([
    '… 6',
    '  line 6',
    '  line 7',
    '  line 8',
    '- line 9',
    '+ other',
    '  line 10',
    '  line 11',
    '  line 12',
    '… 7',
  ])
})

test('texts of which nothing is the same are shown one after the other', async () => {
  expect(show(await diffTexts('a\nb', 'c'))).toEqual(['- a', '- b', '+ c'])
})

test('what is the same is a gap', () => {
  expect(foldDiff([{ value: 'a\nb\n' }])).toEqual([{ sign: '…', text: '2' }])
  expect(foldDiff([])).toEqual([])
})
