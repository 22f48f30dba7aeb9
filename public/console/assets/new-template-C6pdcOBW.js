import{t as e}from"./useMutation-9-jRgK4e.js";import{t}from"./useNavigate-Bs7fDNFG.js";import{n,r,t as i}from"./api-client-mHm7p4lu.js";import{t as a}from"./error-note-BsotvGTv.js";import{t as o}from"./page-head-wERY_53R.js";import{i as s,n as c}from"./template-calls-D_a-FLmf.js";import{t as l}from"./jsx-runtime-DyZJNswf.js";var u=l(),d={markdown:`preheader: Your order {{number}} is on its way.

# Thank you, {{name}}

Your order **{{number}}** is on its way.

[See your order]({{url}}){button}

| Item | Price |
|---|---:|
{{#each items}}
| {{title}} | {{price}} |
{{/each}}
`,html:`<!doctype html>
<html lang="en">
  <head>
    <meta name="color-scheme" content="light dark">
    <style>
      body { font-family: sans-serif; margin: 24px; }
      @media (prefers-color-scheme: dark) {
        body { background: #17181a; color: #ececea; }
        a { color: #7fa9f7; }
      }
    </style>
  </head>
  <body>
    <h1>Thank you, {{name}}</h1>
    <p>Your order {{number}} is on its way. <a href="{{url}}">See your order</a></p>
  </body>
</html>
`},f=`Your order {{number}}`;function p(){let l=t(),{mutate:p,error:m,isPending:h}=e({mutationFn:({name:e,kind:t})=>{let r={subject:f,source:d[t]};return n(i.POST(`/v1/templates`,{body:{name:e,kind:t,...c(t,r)}}))},onSuccess:async({id:e})=>{await s(),await l({to:`/templates/$templateId`,params:{templateId:e},replace:!0})}});return(0,u.jsxs)(u.Fragment,{children:[(0,u.jsx)(o,{title:`New template`}),(0,u.jsxs)(`form`,{className:`panel padded`,"aria-label":`New template`,onSubmit:e=>{e.preventDefault();let t=new FormData(e.currentTarget),n=t.get(`name`),r=t.get(`kind`)===`html`?`html`:`markdown`;typeof n==`string`&&p({name:n.trim(),kind:r})},children:[(0,u.jsxs)(`label`,{className:`field`,children:[`Name`,(0,u.jsx)(`input`,{name:`name`,required:!0,maxLength:200,placeholder:`Receipt`})]}),(0,u.jsxs)(`fieldset`,{children:[(0,u.jsx)(`legend`,{children:`You write it in`}),(0,u.jsxs)(`label`,{children:[(0,u.jsx)(`input`,{type:`radio`,name:`kind`,value:`markdown`,defaultChecked:!0}),` Markdown, and the service makes the HTML`]}),(0,u.jsxs)(`label`,{children:[(0,u.jsx)(`input`,{type:`radio`,name:`kind`,value:`html`}),` HTML`]})]}),(0,u.jsx)(`p`,{className:`muted`,children:`The plain text is derived from either. Nothing is sent before you publish.`}),m&&(0,u.jsx)(a,{error:m}),(0,u.jsx)(`div`,{className:`buttons`,children:(0,u.jsx)(`button`,{type:`submit`,className:`btn main`,disabled:h,children:`Make template`})})]}),(0,u.jsx)(r,{method:`POST`,path:`/v1/templates`,body:{name:`Receipt`,kind:`markdown`,subject:f,markdown:`# Thank you`}})]})}export{p as NewTemplate};