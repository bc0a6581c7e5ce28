import type { frame as english } from '../en/frame'
import type { Area } from '../messages'

export const frame: Area<typeof english> = {
  'outage.title': '{time}からサーバーが応答していません。',
  'outage.about': '表示されているのはその時点の内容です。',
  'outage.next': { other: '{n}秒後に再試行します。' },
  'outage.trying': '再試行しています…',
  'outage.now': '今すぐ再試行',
  'outage.over': 'サーバーが再び応答しています。',
  'outage.off': 'サーバーが応答していません。応答するまで何も変更できません。',
  'outage.reload': 'ページを再読み込み',
  'frame.fork': 'これはフォーク{name}であり、元のクラスターではありません。ここでの変更は元のクラスターには反映されません。',
  'right.denied': '{what}に対する{verb}の権限がありません。',
  'right.deniedIn': '{namespace}の{what}に対する{verb}の権限がありません。',
  'right.list': 'すべてのNamespaceの{what}を見る権限がありません。Namespaceを選ぶか、管理者に相談してください。',
  'right.ask': '管理者に依頼してください。',
  'right.none': '{name}としてログインしていますが、このアカウントにはここでの権限がありません。',
  'right.remedy':
    '管理者はロールを割り当てることができます (閲覧だけならrowlock:viewersグループなど)。または別のトークンでログインしてください。',
  'draft.restored': '{time}の未保存のテキストを復元しました。',
  'draft.discard': '破棄する',
  'draft.unsaved': '未保存',
  'draft.full': 'このテキストは長すぎるため保持できません。ページを離れると失われます。',
  'time.zone': '時刻は{zone}です。',
}
