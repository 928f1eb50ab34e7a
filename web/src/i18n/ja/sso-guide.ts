/** Menus and fields are called as the Japanese consoles of the products call them, and in English where these are in English. */
export const ssoGuide = {
  title: '登録の手順',
  lead: 'お使いのIDプロバイダーを選んでください。5分ほどで終わります。',
  provider: 'IDプロバイダー',
  saml: 'ログイン（SAML）',
  scim: '人とグループの自動登録（SCIM）',
  field: '項目',
  value: '値',
  copy: '「{{name}}」の値をコピー',
  yourToken: '作成したトークン',
  download: 'このポータルのメタデータをダウンロード',
  here: {
    url: 'この画面で「{{button}}」を押し、メタデータを「アドレスから読み込む」にして、コピーしたアドレスを貼り付けて保存します。グループも揃えるときは、次の項目も入力します。',
    file: 'この画面で「{{button}}」を押し、メタデータを「ファイルを選ぶ」にして、ダウンロードしたファイルを選んで保存します。グループも揃えるときは、次の項目も入力します。',
    groupAttribute: 'グループの属性',
    token: 'この画面の「トークンを作成」を押し、表示されたトークンをコピーします。',
    test: 'この画面の「テスト」を押して、ログインできることを確かめます。',
  },
  entra: {
    name: 'Microsoft Entra ID',
    app: 'Microsoft Entra管理センター（entra.microsoft.com）で「エンタープライズ アプリ」を開き、「新しいアプリケーション」＞「独自のアプリケーションの作成」を選びます。名前を入力し、「ギャラリーに見つからないその他のアプリケーションを統合します（ギャラリー以外）」を選んで「作成」を押します。',
    basic:
      '「シングル サインオン」＞「SAML」を選び、「基本的なSAML構成」の「編集」を押して、次の値を貼り付けて保存します。',
    basicFields: {
      entityId: '識別子（エンティティID）',
      acsUrl: '応答URL（Assertion Consumer Service URL）',
      sloUrl: 'ログアウトURL（省略可能）',
    },
    groups:
      'グループも揃えるときは「属性とクレーム」の「編集」＞「グループ要求を追加する」で「アプリケーションに割り当てられているグループ」を選び、ソース属性を「クラウド専用グループの表示名」にします（オンプレミスのADのグループは「sAMAccountName」）。「詳細オプション」の「グループ要求の名前をカスタマイズする」に次の名前を入力して保存します。',
    groupFields: { name: '名前' },
    metadata: '「SAML証明書」にある「アプリのフェデレーション メタデータURL」をコピーします。',
    users: '「ユーザーとグループ」で、ログインさせる人とグループを追加します。',
    scimConnect:
      '同じアプリケーションの「プロビジョニング」＞「新しい構成」を開き（以前の画面では「プロビジョニング モード」を「自動」にし）、次の値を貼り付けて「テスト接続」を押し、作成（保存）します。',
    scimFields: { url: 'テナントのURL', token: 'シークレット トークン' },
    scimStart:
      '「ユーザーとグループ」に対象の人とグループがいることを確かめ、「プロビジョニングの開始」を押します。属性マッピングは初めのままで動きます。変更は約40分ごとに届きます。',
  },
  okta: {
    name: 'Okta',
    app: 'Okta Admin Consoleの「Applications」＞「Applications」で「Create App Integration」を押し、「SAML 2.0」を選んで「Next」。「App name」を入力して「Next」を押します。',
    saml: '「Configure SAML」に次の値を入力します。「Use this for Recipient URL and Destination URL」は選ばれたままにします。',
    samlFields: {
      acsUrl: 'Single sign-on URL',
      entityId: 'Audience URI (SP Entity ID)',
      nameId: 'Name ID format',
      username: 'Application username',
    },
    claims:
      '「Attribute Statements」に次を加え、名前が届くようにします。この欄がない新しい画面では、作成後に「Sign On」タブの「Attribute statements」で、式をuser.profile.lastName + " " + user.profile.firstNameとして加えます。',
    claimFields: { name: 'Name', value: 'Value' },
    nameExpression: 'user.lastName + " " + user.firstName',
    groups:
      'グループも揃えるときは「Group Attribute Statements」に次を加えます。「Filter」は「Matches regex」にします（.*はすべてのグループです）。',
    groupFields: { name: 'Name', filter: 'Filter' },
    finish: '「Next」を押し、「This is an internal app that we have created」を選んで「Finish」を押します。',
    metadata: '「Sign On」タブの「Metadata URL」をコピーします。',
    users: '「Assignments」タブで、ログインさせる人とグループを追加します。',
    scimOn:
      '「General」タブの「App Settings」＞「Edit」で、「Provisioning」を「SCIM」にして「Save」を押します。',
    scimConnect:
      '新しく現れた「Provisioning」タブの「Integration」＞「Edit」で次の値を入力します。「Supported provisioning actions」は「Push New Users」「Push Profile Updates」「Push Groups」を選びます。「Test Connector Configuration」で確かめて「Save」を押します。',
    scimFields: {
      url: 'SCIM connector base URL',
      unique: 'Unique identifier field for users',
      mode: 'Authentication Mode',
      token: 'Authorization（Bearer）',
    },
    scimStart:
      '「Provisioning」タブの「To App」＞「Edit」で「Create Users」「Update User Attributes」「Deactivate Users」を有効にして「Save」を押します。グループは「Push Groups」タブで選びます。',
  },
  google: {
    name: 'Google Workspace',
    app: 'Google管理コンソール（admin.google.com）の「アプリ」＞「ウェブアプリとモバイルアプリ」で「アプリを追加」＞「カスタムSAMLアプリの追加」を選び、アプリ名を入力して「続行」を押します。',
    metadata:
      '「GoogleのIDプロバイダの詳細」で「メタデータをダウンロード」を押し、「続行」を押します。このファイルは、後でこの画面に登録します。',
    saml: '「サービス プロバイダの詳細」に次の値を入力して「続行」を押します。',
    samlFields: {
      acsUrl: 'ACSのURL',
      entityId: 'エンティティID',
      nameId: '名前IDの形式',
      username: '名前ID',
    },
    primaryEmail: 'Basic Information > Primary email',
    claims:
      '「属性のマッピング」で「マッピングを追加」を押し、名前が届くようにします。姓と名は別々に送られるため、ここで選んだほうがこのポータルでの名前になります。',
    claimFields: { source: 'Google Directoryの属性', name: 'アプリの属性' },
    nameSource: 'Last name',
    groups:
      'グループも揃えるときは「グループ メンバーシップ（省略可）」で対象のグループを選び、「アプリの属性」に次の名前を入力します。「完了」を押します。',
    groupFields: { name: 'アプリの属性' },
    users:
      '「ユーザー アクセス」を「オン（すべてのユーザー）」などにして保存します。反映には数分かかることがあります。',
    noScim:
      'Google Workspaceは、カスタムSAMLアプリへの自動プロビジョニング（SCIM）に対応していません。人は最初のログインで自動で登録されます。退職者はGoogleで停止するとログインできなくなります。ログイン中の端末もすぐに終了させるには、このポータルのユーザー一覧で削除してください。',
  },
  keycloak: {
    name: 'Keycloak',
    metadata:
      '先にこの画面で「{{button}}」を押し、メタデータを「アドレスから読み込む」にして、お使いのホスト名とレルムに置き換えた次のアドレスで保存します。',
    metadataFields: { url: 'メタデータのアドレス', groupAttribute: 'グループの属性（グループも揃えるとき）' },
    descriptor: 'https://keycloak.example.com/realms/レルム名/protocol/saml/descriptor',
    download: 'このポータルのメタデータをダウンロードします。',
    app: 'Keycloakの管理コンソールで「Clients」＞「Import client」を開き、「Browse...」でそのファイルを選んで「Save」を押します。クライアントID、URL、証明書は自動で入ります。',
    capabilities:
      '「Settings」タブの「SAML capabilities」で次のとおりにして「Save」を押します。「Sign assertions」が「On」であることも確かめます。',
    capabilityFields: { nameId: 'Name ID format', force: 'Force name ID format' },
    claims:
      '「Client scopes」タブで名前が「-dedicated」で終わるものを開き、「Configure a new mapper」を押して「User Property」を選び、名前が届くようにします。「Name」は任意です。次の値を入力して保存します。',
    claimFields: { property: 'Property', name: 'SAML Attribute Name' },
    nameProperty: 'lastName',
    groups:
      'グループも揃えるときは、前の画面に戻り、「Add mapper」＞「By configuration」＞「Group list」を選びます。「Name」は任意です。「Single Group Attribute」を「On」、「Full group path」を「Off」にします。',
    groupFields: { name: 'Group attribute name' },
    noScim:
      'Keycloak自体はSCIMを送信しません。SCIMの拡張機能を使う場合は、次の値を登録してください。拡張機能がなくても、人は最初のログインで自動で登録されます。',
    scimFields: { url: 'SCIMのアドレス', token: 'Bearerトークン' },
  },
};
