export const deliverySettings = {
  title: '配信設定',
  versions: {
    title: 'バージョンの保持',
    kept: '保持するバージョンの数',
    help: 'ファイルごとに、現在のバージョンを含めて新しい順に1〜{{most}}個まで保持します。対象から外れたバージョンの内容は7日後に削除され、元に戻せなくなります。配信中と予約中のバージョンは削除されません。',
    saved_other: '保持するバージョンの数を{{count, number}}個にしました。',
    confirmTitle: '保持するバージョンを減らしますか？',
    confirmText_other:
      'すべてのファイルで、保持するバージョンが{{before}}個から{{count, number}}個になります。対象から外れたバージョンの内容は7日後に削除されます。それまでに数を増やせば残ります。',
    confirm: '減らす',
  },
};
